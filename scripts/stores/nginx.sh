#!/usr/bin/env bash
# Serves a folder by nginx over TLS with scripts/serve/nginx.conf, for tests.
#   scripts/stores/nginx.sh start|stop DIR
# start prints nothing and leaves URL, CA and ROOT in DIR/env; documents go below DIR/public.
# With NGINX_DAV=1 it also takes PUT at PUT_URL, without a look at any condition, as nginx does.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
# shellcheck source=scripts/stores/common.sh
. "$here/common.sh"
PATH=$PATH:/usr/sbin

if [ "$action" = stop ]; then
    end nginx
    exit 0
fi

need nginx nginx
need openssl openssl
certificates
mkdir -p "$dir/public" "$dir/put" "$dir/tmp"
chmod 755 "$dir" "$dir/public"
port=$(free_port)
put_port=$(free_port)
# The shipped file with the names of this run.
sed -e "s|listen 443 ssl|listen 127.0.0.1:$port ssl|" -e "s|server_name .*;|server_name localhost;|" \
    -e "s|/etc/grona/tls/|$dir/tls/|" -e "s|root /srv/grona;|root $dir/public;|" \
    "$here/../serve/nginx.conf" >"$dir/site.conf"
{
    [ "$(id -u)" -ne 0 ] || echo 'user root;'
    cat <<CONF
pid $dir/run/nginx.own.pid;
error_log $dir/log/error.log warn;
daemon off;
events { }
http {
    access_log off;
    client_body_temp_path $dir/tmp/body;
    proxy_temp_path $dir/tmp/proxy;
    fastcgi_temp_path $dir/tmp/fastcgi;
    uwsgi_temp_path $dir/tmp/uwsgi;
    scgi_temp_path $dir/tmp/scgi;
    include $dir/site.conf;
CONF
    if [ -n "${NGINX_DAV:-}" ]; then
        cat <<CONF
    server {
        listen 127.0.0.1:$put_port;
        root $dir/put;
        types { }
        default_type application/jose+json;
        location / {
            dav_methods PUT;
            create_full_put_path on;
        }
    }
CONF
    fi
    echo '}'
} >"$dir/nginx.conf"
launch nginx nginx -e "$dir/log/error.log" -p "$dir" -c "$dir/nginx.conf"
await 10 listens "$port" || fail "nginx does not start: $(cat "$dir/log/nginx.out" "$dir/log/error.log")"
tell "URL=https://localhost:$port" "CA=$dir/tls/ca.pem" "ROOT=$dir/public" \
    "PUT_URL=http://127.0.0.1:$put_port"
