#!/usr/bin/env bash
# Apache httpd with WebDAV over TLS as an https store, for tests.
#   scripts/stores/apache.sh start|stop DIR
# start leaves URL, CA and TOKEN in DIR/env. Everybody may read, PUT needs the token. As a store:
#   . DIR/env && echo "$TOKEN" >token && chmod 600 token
#   grona-publish doctor "$URL/{workspace}/config" --ca "$CA" --token-file token
#
# mod_dav_fs looks at a condition when it has the header and writes when it has the body, so with
# several workers it does not compare and swap. With APACHE_WORKERS=1 it takes one request after the
# other, and then it does.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
# shellcheck source=scripts/stores/common.sh
. "$here/common.sh"
PATH=$PATH:/usr/sbin

if [ "$action" = stop ]; then
    end apache
    exit 0
fi

need apache2 apache2-bin
need openssl openssl
certificates
mkdir -p "$dir/public/acme-market" "$dir/public/grona-probe" "$dir/lock"
chmod 711 "$dir"
port=$(free_port)
token=grona-test-token
modules=/usr/lib/apache2/modules
if [ "${APACHE_WORKERS:-}" = 1 ]; then
    mpm=prefork
    workers=$'StartServers 1\nMinSpareServers 1\nMaxSpareServers 1\nMaxRequestWorkers 1\nKeepAlive Off'
else
    mpm=event
    workers=$'StartServers 2\nThreadsPerChild 16\nMaxRequestWorkers 32'
fi
{
    for module in mpm_$mpm authn_core authz_core dav dav_fs ssl socache_shmcb headers mime unixd; do
        # Some are built in.
        [ ! -e "$modules/mod_$module.so" ] ||
            echo "LoadModule ${module}_module $modules/mod_$module.so"
    done
    if [ "$(id -u)" -eq 0 ]; then
        chown -R www-data "$dir/public" "$dir/lock"
        printf 'User www-data\nGroup www-data\n'
    fi
    cat <<CONF
ServerName localhost
ServerRoot $dir
DefaultRuntimeDir $dir/run
PidFile $dir/run/apache.own.pid
ErrorLog $dir/log/error.log
Listen 127.0.0.1:$port
$workers
Timeout 10
TypesConfig /dev/null
DocumentRoot $dir/public
DavLockDB $dir/lock/locks
SSLEngine on
SSLCertificateFile $dir/tls/server.pem
SSLCertificateKeyFile $dir/tls/server.key
SSLProtocol -all +TLSv1.2 +TLSv1.3
<Directory />
    Require all denied
</Directory>
<Directory $dir/public>
    Dav On
    ForceType application/jose+json
    Header set Cache-Control "public, max-age=60, must-revalidate"
    <RequireAny>
        Require method GET HEAD
        Require expr %{HTTP:Authorization} == 'Bearer $token'
    </RequireAny>
</Directory>
CONF
} >"$dir/httpd.conf"
launch apache apache2 -f "$dir/httpd.conf" -DFOREGROUND
await 10 listens "$port" || fail "httpd does not start: $(cat "$dir/log/apache.out" "$dir/log/error.log")"
tell "URL=https://localhost:$port" "CA=$dir/tls/ca.pem" "TOKEN=$token"
