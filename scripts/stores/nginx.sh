#!/usr/bin/env bash
# Serves a folder by nginx over TLS with scripts/serve/nginx.conf, for tests.
#   scripts/stores/nginx.sh start|stop DIR
# start prints nothing and leaves URL, CA and ROOT in DIR/env; documents go below DIR/public, which is
# the store of a publisher (--to file:DIR/public), and a monitor reads them from the address:
#   . DIR/env
#   grona-publish health acme-market --from "$URL/v1/mobile/workspaces/{workspace}/config" --ca "$CA"
# With NGINX_DAV=1 it also takes PUT at PUT_URL, without a look at any condition, as nginx does.
# With NGINX_EDGES=1 two caches stand before it, which compress and tell the age of a copy: SLOW_URL keeps
# one for an hour, QUICK_URL for three seconds. DIR/log/access.log has a line for each request, with
# the server's port, the condition, the encodings that are taken and whether a cache had the copy.
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
perl=/usr/lib/nginx/modules/ngx_http_perl_module.so
if [ -n "${NGINX_EDGES:-}" ]; then
    [ -e "$perl" ] || fail "$perl is missing: apt-get install --no-install-recommends libnginx-mod-http-perl" 69
fi
certificates
mkdir -p "$dir/public" "$dir/put" "$dir/tmp"
chmod 755 "$dir" "$dir/public"
port=$(free_port)
put_port=$(free_port)
slow_port=$(free_port)
quick_port=$(free_port)
# The shipped file with the names of this run.
sed -e "s|listen 443 ssl|listen 127.0.0.1:$port ssl|" -e "s|server_name .*;|server_name localhost;|" \
    -e "s|/etc/grona/tls/|$dir/tls/|" -e "s|root /srv/grona;|root $dir/public;|" \
    "$here/../serve/nginx.conf" >"$dir/site.conf"
# A cache before the server, for as long as a copy is kept: PORT SECONDS.
edge() {
    cat <<CONF
    server {
        listen 127.0.0.1:$1 ssl http2;
        server_name localhost;
        ssl_certificate $dir/tls/server.pem;
        ssl_certificate_key $dir/tls/server.key;
        location / {
            proxy_pass https://127.0.0.1:$port;
            proxy_cache edges;
            proxy_cache_key $1\$uri;
            proxy_cache_valid 200 ${2}s;
            proxy_ignore_headers Cache-Control Expires;
            gzip on;
            gzip_types application/jose+json;
            gzip_proxied any;
            gzip_min_length 20;
            add_header Age \$age;
        }
    }
CONF
}
{
    [ "$(id -u)" -ne 0 ] || echo 'user root;'
    [ -z "${NGINX_EDGES:-}" ] || echo "load_module $perl;"
    cat <<CONF
pid $dir/run/nginx.own.pid;
error_log $dir/log/error.log warn;
daemon off;
events { }
http {
    log_format asked '\$server_port \$status \$http_if_none_match \$http_accept_encoding \$upstream_cache_status';
    access_log $dir/log/access.log asked;
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
    if [ -n "${NGINX_EDGES:-}" ]; then
        cat <<CONF
    proxy_cache_path $dir/tmp/cache keys_zone=edges:1m use_temp_path=off;
    perl_set \$age 'sub {
        my \$date = shift->variable("upstream_http_date");
        return "" unless defined \$date;
        require Time::Piece;
        return time - Time::Piece->strptime(\$date, "%a, %d %b %Y %H:%M:%S GMT")->epoch;
    }';
CONF
        edge "$slow_port" 3600
        edge "$quick_port" 3
    fi
    echo '}'
} >"$dir/nginx.conf"
launch nginx nginx -e "$dir/log/error.log" -p "$dir" -c "$dir/nginx.conf"
await 10 listens "$port" || fail "nginx does not start: $(cat "$dir/log/nginx.out" "$dir/log/error.log")"
tell "URL=https://localhost:$port" "CA=$dir/tls/ca.pem" "ROOT=$dir/public" \
    "PUT_URL=http://127.0.0.1:$put_port" "SLOW_URL=https://localhost:$slow_port" \
    "QUICK_URL=https://localhost:$quick_port" "PORT=$port"
