#!/usr/bin/env bash
# Tries backup and point-in-time restore for real, on PostgreSQL servers of its own, in a folder of its own.
# Needs PostgreSQL's programs (Debian: postgresql-15; elsewhere set PG_BIN) and a built checkout (npm run build).
# Status: 0 the drill passed, 1 it did not, 3 something that it needs is missing.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
bin=${PG_BIN:-$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1 || true)}
for program in initdb pg_ctl pg_basebackup psql; do
  [ -x "$bin/$program" ] || { echo "$program is missing: install PostgreSQL or set PG_BIN" >&2; exit 3; }
done
[ -f "$root/services/wallet/server/dist/command.js" ] || { echo 'Run npm run build first.' >&2; exit 3; }

place=$(mktemp -d /tmp/counterfoil-drill.XXXXXX)
port=${DRILL_PORT:-7811}
as_server=()
if [ "$(id -u)" = 0 ]; then
  chown postgres "$place"
  as_server=(runuser -u postgres --)
fi
server() { (cd "$place" && "${as_server[@]}" "$@"); }
sql() { server "$bin/psql" -qAtX -v ON_ERROR_STOP=1 -h "$place" -p "$port" -U postgres -d "${2:-wallet}" -c "$1"; }
stop() { server "$bin/pg_ctl" -D "$1" -m immediate stop >/dev/null 2>&1 || true; }
trap 'stop "$place/first"; stop "$place/second"; rm -rf "$place"' EXIT

export NODE_ENV=development WALLET_DATABASE_URL="postgres://postgres@127.0.0.1:$port/wallet"
MASTER_KEY=$(node -e 'console.log(require("node:crypto").randomBytes(32).toString("base64"))')
export MASTER_KEY
wallet() { node "$root/services/wallet/server/dist/command.js" "$@"; }
move() { wallet packages top-up "$uid" --amount 10.00 --transaction-id "$1" >/dev/null; }
fail() { echo "FAILED: $1" >&2; exit 1; }

echo '1. A server that archives its log'
server "$bin/initdb" -D "$place/first" -U postgres -A trust --no-instructions >/dev/null
server mkdir "$place/archive"
server tee -a "$place/first/postgresql.conf" >/dev/null <<CONF
port = $port
listen_addresses = '127.0.0.1'
unix_socket_directories = '$place'
archive_mode = on
archive_command = 'test ! -f $place/archive/%f && cp %p $place/archive/%f'
CONF
server "$bin/pg_ctl" -D "$place/first" -l "$place/first.log" -w start >/dev/null
sql 'create database wallet' postgres

echo '2. Movements, a base backup while the server runs, and more movements'
uid=$(wallet packages create --name Drill --currency EUR --domain drill.example --owner-email o@drill.example --json |
  node -e 'console.log(JSON.parse(require("node:fs").readFileSync(0, "utf8")).uid)')
wallet packages approve "$uid" >/dev/null
for n in 1 2 3; do move "before-$n"; done
server "$bin/pg_basebackup" -h "$place" -p "$port" -U postgres -D "$place/second" --checkpoint=fast
for n in 4 5; do move "before-$n"; done
sleep 1
moment=$(sql 'select clock_timestamp()')
sleep 1
for n in 1 2 3; do move "after-$n"; done
before=$(sql 'select encode(hash, $$hex$$) from journal where transaction_id = $$before-5$$')

echo "3. The server is lost; what was archived is restored as of $moment"
sql 'select pg_switch_wal()' >/dev/null
for _ in $(seq 60); do
  [ "$(sql 'select count(*) from pg_stat_archiver where last_archived_wal is not null')" = 1 ] &&
    [ -z "$(server ls "$place/first/pg_wal/archive_status" | grep ready || true)" ] && break
  sleep 0.5
done
stop "$place/first"
server rm -rf "$place/first"
server tee -a "$place/second/postgresql.conf" >/dev/null <<CONF
restore_command = 'cp $place/archive/%f %p'
recovery_target_time = '$moment'
recovery_target_action = 'promote'
CONF
server touch "$place/second/recovery.signal"
server "$bin/pg_ctl" -D "$place/second" -l "$place/second.log" -w start >/dev/null
for _ in $(seq 60); do
  [ "$(sql 'select pg_is_in_recovery()')" = f ] && break
  sleep 0.5
done

echo '4. What came back'
[ "$(sql 'select pg_is_in_recovery()')" = f ] || fail 'the restored server still recovers'
[ "$(sql 'select count(*) from journal where transaction_id like $$before-%$$')" = 5 ] ||
  fail 'a movement from before the moment is missing'
[ "$(sql 'select count(*) from journal where transaction_id like $$after-%$$')" = 0 ] ||
  fail 'a movement from after the moment is there'
[ "$(sql 'select encode(hash, $$hex$$) from ledger_heads')" = "$before" ] ||
  fail 'the chain does not end where it ended at the moment'
wallet verify || fail 'the restored ledger is not clean'
move before-5
move after-1
[ "$(sql 'select count(*) from journal')" = 6 ] || fail 'an id counts twice, or a new one not at all'
wallet verify >/dev/null || fail 'the ledger is not clean after it went on'
echo 'Passed: 5 of 5 movements from before, 0 of 3 from after, clean, and it goes on.'
