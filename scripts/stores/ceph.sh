#!/usr/bin/env bash
# Ceph's RADOS Gateway with one monitor and one object server in memory, as an S3 store for tests.
#   scripts/stores/ceph.sh start|stop DIR
# start leaves ENDPOINT, ACCESS_KEY, SECRET_KEY, BUCKET, LEDGER and VERSIONED (a bucket that keeps
# versions) in DIR/env. DIR must be new: what was stored is gone when it stops. As a store:
#   . DIR/env && export AWS_ACCESS_KEY_ID=$ACCESS_KEY AWS_SECRET_ACCESS_KEY=$SECRET_KEY
#   grona-publish doctor "s3://$BUCKET/prod?endpoint=$ENDPOINT" --allow-http
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
# shellcheck source=scripts/stores/common.sh
. "$here/common.sh"

conf=$dir/ceph.conf
if [ "$action" = stop ]; then
    for name in gateway objects monitor; do end "$name"; done
    exit 0
fi

need ceph-mon ceph-mon
need ceph-osd ceph-osd
need radosgw radosgw
need radosgw-admin ceph-common
need curl curl
[ ! -e "$conf" ] || fail "$dir was used before"
gateway=$(free_port)
monitor=$(free_port)
key=GRONATESTACCESS00000
secret=GronaTestSecretKeyNotForRealUse000000000
classes=$(dirname "$(dpkg -L ceph-osd ceph-base 2>/dev/null | grep -m 1 'libcls_rgw\.so$')")

# Without its own authentication (loopback, no data of anybody), which radosgw bears only when the
# monitors' encrypted mode is off; one copy, few groups, nothing asked of a manager; the monitor
# agrees with itself quickly.
cat >"$conf" <<CONF
[global]
fsid = $(cat /proc/sys/kernel/random/uuid)
mon initial members = a
mon host = [v2:127.0.0.1:$monitor]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind msgr1 = false
auth cluster required = none
auth service required = none
auth client required = none
ms mon client mode = crc
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 1000
run dir = $dir/run
admin socket = $dir/run/\$name.asok
log file = $dir/log/\$name.log
crash dir = $dir/log
keyring = $dir/keyring
[mon]
mon data = $dir/monitor
mon cluster log file = $dir/log/cluster.log
paxos propose interval = 0.05
paxos min wait = 0.01
mon data avail warn = 1
mon data avail crit = 0
[osd]
osd data = $dir/objects
osd objectstore = memstore
memstore device bytes = 1073741824
osd crush initial weight = 1
crush location = root=default host=localhost
osd class dir = $classes
[client]
rgw frontends = beast endpoint=127.0.0.1:$gateway
rgw data = $dir/gateway
rgw run sync thread = false
CONF
mkdir -p "$dir/monitor" "$dir/objects" "$dir/gateway"
: >"$dir/keyring"
quietly() { "$@" >>"$dir/log/setup.out" 2>&1 || fail "failed: $*: $(tail -n 5 "$dir/log/setup.out")"; }
ceph_() { timeout 20 ceph -c "$conf" -n client.admin "$@"; }

quietly monmaptool --create --fsid "$(sed -n 's/^fsid = //p' "$conf")" \
    --addv a "[v2:127.0.0.1:$monitor]" "$dir/monmap"
quietly ceph-mon -c "$conf" --mkfs -i a --monmap "$dir/monmap"
launch monitor ceph-mon -c "$conf" -f -i a
await 30 ceph_ mon stat || fail 'the monitor does not answer'
id=$(cat /proc/sys/kernel/random/uuid)
quietly ceph_ osd new "$id"
quietly ceph-osd -c "$conf" -i 0 --mkfs --osd-uuid "$id"
launch objects ceph-osd -c "$conf" -f -i 0
await 30 eval "ceph_ osd stat | grep -q '1 up'" || fail 'the object server does not come up'
quietly timeout 60 radosgw-admin -c "$conf" -n client.admin user create --uid=tester \
    --display-name=tester --access-key="$key" --secret-key="$secret"
launch gateway radosgw -c "$conf" -f -n client.rgw.a
await 30 listens "$gateway" || fail "the gateway does not start: $(cat "$dir/log/gateway.out")"

s3() { # METHOD PATH BODY
    curl -sS -o "$dir/log/s3.out" -w '%{http_code}' --aws-sigv4 aws:amz:us-east-1:s3 -u "$key:$secret" \
        -X "$1" -H 'Content-Type: application/xml' \
        -H "x-amz-content-sha256: $(printf %s "$3" | sha256sum | cut -d ' ' -f 1)" \
        --data-binary "$3" "http://127.0.0.1:$gateway$2"
}
make() { [ "$(s3 PUT "/$1" '')" = 200 ]; }
for bucket in grona-shop grona-ledger grona-versioned; do
    await 30 make "$bucket" || fail "the bucket $bucket cannot be made"
done
[ "$(s3 PUT '/grona-versioned?versioning=' '<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Status>Enabled</Status></VersioningConfiguration>')" = 200 ] ||
    fail 'versions cannot be switched on'
tell "ENDPOINT=http://127.0.0.1:$gateway" "ACCESS_KEY=$key" "SECRET_KEY=$secret" BUCKET=grona-shop \
    LEDGER=grona-ledger VERSIONED=grona-versioned
