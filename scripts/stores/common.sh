# shellcheck shell=bash
# Shared by the scripts that start real servers for tests: sourced, not run.
# Each: NAME.sh start|stop DIR. All they make lies below DIR, all they listen on is 127.0.0.1.

fail() {
    printf '%s: %s\n' "$(basename "$0")" "$1" >&2
    exit "${2:-1}"
}

case "${1:-}" in
start | stop) [ $# -eq 2 ] || fail "usage: start|stop DIR" 64 ;;
*) fail "usage: start|stop DIR" 64 ;;
esac
# shellcheck disable=SC2034
action=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd -P)
mkdir -p "$dir/run" "$dir/log"

need() { # COMMAND PACKAGE
    command -v "$1" >/dev/null || fail "$1 is missing: apt-get install --no-install-recommends $2" 69
}

# A port of this host that nobody listens on right now.
free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# Waits up to $1 seconds until the rest of the words succeeds.
await() {
    local seconds=$1 i
    shift
    for ((i = 0; i < seconds * 10; i++)); do
        "$@" >/dev/null 2>&1 && return 0
        sleep 0.1
    done
    return 1
}

listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Starts a server in the background under a name.
launch() {
    local name=$1
    shift
    setsid "$@" >"$dir/log/$name.out" 2>&1 </dev/null &
    echo $! >"$dir/run/$name.pid"
}

is_running() {
    local pid
    pid=$(cat "$dir/run/$1.pid" 2>/dev/null) && kill -0 "$pid" 2>/dev/null
}

# Ends a server that `launch` started, and what it started itself.
end() {
    local pid
    pid=$(cat "$dir/run/$1.pid" 2>/dev/null) || return 0
    kill -TERM -- "-$pid" 2>/dev/null || true
    await 5 eval "! kill -0 -- -$pid" || kill -KILL -- "-$pid" 2>/dev/null || true
    rm -f "$dir/run/$1.pid"
}

# $dir/tls: an authority (ca.pem) and a certificate of it for localhost and 127.0.0.1.
certificates() {
    local tls=$dir/tls
    [ -s "$tls/server.pem" ] && return
    mkdir -p "$tls"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 \
        -subj '/CN=Grona test authority' -addext keyUsage=critical,keyCertSign \
        -keyout "$tls/ca.key" -out "$tls/ca.pem" 2>/dev/null
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj '/CN=localhost' \
        -keyout "$tls/server.key" -out "$tls/server.csr" 2>/dev/null
    openssl x509 -req -in "$tls/server.csr" -CA "$tls/ca.pem" -CAkey "$tls/ca.key" -CAcreateserial \
        -days 2 -extfile <(echo 'subjectAltName=DNS:localhost,IP:127.0.0.1') \
        -out "$tls/server.pem" 2>/dev/null
}

# What a caller has to know: NAME=VALUE, a line each, in $dir/env.
tell() { printf '%s\n' "$@" >"$dir/env"; }
