#!/usr/bin/env bash
# Tests backup and point-in-time restore with two temporary PostgreSQL servers.
# Needs PostgreSQL's programs (Debian: postgresql-15; otherwise set PG_BIN) and a built checkout (npm run build).
# Exit status: 0 if the drill passed, 1 if it failed, 3 if a requirement is missing.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
bin=${PG_BIN:-$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1 || true)}
for program in initdb pg_ctl pg_basebackup psql; do
  [ -x "$bin/$program" ] || { echo "$program is missing: install PostgreSQL or set PG_BIN" >&2; exit 3; }
done
[ -f "$root/services/wallet/server/dist/command.js" ] || { echo 'Run npm run build first.' >&2; exit 3; }

work=$(mktemp -d /tmp/counterfoil-drill.XXXXXX)
port=${DRILL_PORT:-7811}
as_server=()
if [ "$(id -u)" = 0 ]; then
  chown postgres "$work"
  as_server=(runuser -u postgres --)
fi
server() { (cd "$work" && "${as_server[@]}" "$@"); }
sql() { server "$bin/psql" -qAtX -v ON_ERROR_STOP=1 -h "$work" -p "$port" -U postgres -d "${2:-wallet}" -c "$1"; }
stop() { server "$bin/pg_ctl" -D "$1" -m immediate stop >/dev/null 2>&1 || true; }
trap 'stop "$work/first"; stop "$work/second"; rm -rf "$work"' EXIT

export NODE_ENV=development WALLET_DATABASE_URL="postgres://postgres@127.0.0.1:$port/wallet"
MASTER_KEY=$(node -e 'console.log(require("node:crypto").randomBytes(32).toString("base64"))')
export MASTER_KEY
wallet() { node "$root/services/wallet/server/dist/command.js" "$@"; }
move() { wallet packages top-up "$uid" --amount 10.00 --transaction-id "$1" >/dev/null; }
fail() { echo "FAILED: $1" >&2; exit 1; }

echo '1. Starting a server that archives its WAL'
server "$bin/initdb" -D "$work/first" -U postgres -A trust --no-instructions >/dev/null
server mkdir "$work/archive"
server tee -a "$work/first/postgresql.conf" >/dev/null <<CONF
port = $port
listen_addresses = '127.0.0.1'
unix_socket_directories = '$work'
archive_mode = on
archive_command = 'test ! -f $work/archive/%f && cp %p $work/archive/%f'
CONF
server "$bin/pg_ctl" -D "$work/first" -l "$work/first.log" -w start >/dev/null
sql 'create database wallet' postgres

echo '2. Writing movements, taking a base backup, and writing more movements'
uid=$(wallet packages create --name Drill --currency EUR --domain drill.example --owner-email o@drill.example --json |
  node -e 'console.log(JSON.parse(require("node:fs").readFileSync(0, "utf8")).uid)')
wallet packages approve "$uid" >/dev/null
for n in 1 2 3; do move "before-$n"; done
server "$bin/pg_basebackup" -h "$work" -p "$port" -U postgres -D "$work/second" --checkpoint=fast
for n in 4 5; do move "before-$n"; done
sleep 1
moment=$(sql 'select clock_timestamp()')
sleep 1
for n in 1 2 3; do move "after-$n"; done
before=$(sql 'select encode(hash, $$hex$$) from journal where transaction_id = $$before-5$$')

echo "3. Deleting the server and restoring the backup and the archive as of $moment"
sql 'select pg_switch_wal()' >/dev/null
for _ in $(seq 60); do
  [ "$(sql 'select count(*) from pg_stat_archiver where last_archived_wal is not null')" = 1 ] &&
    [ -z "$(server ls "$work/first/pg_wal/archive_status" | grep ready || true)" ] && break
  sleep 0.5
done
stop "$work/first"
server rm -rf "$work/first"
server tee -a "$work/second/postgresql.conf" >/dev/null <<CONF
restore_command = 'cp $work/archive/%f %p'
recovery_target_time = '$moment'
recovery_target_action = 'promote'
CONF
server touch "$work/second/recovery.signal"
server "$bin/pg_ctl" -D "$work/second" -l "$work/second.log" -w start >/dev/null
for _ in $(seq 60); do
  [ "$(sql 'select pg_is_in_recovery()')" = f ] && break
  sleep 0.5
done

echo '4. Checking the restored server'
[ "$(sql 'select pg_is_in_recovery()')" = f ] || fail 'the restored server is still in recovery'
[ "$(sql 'select count(*) from journal where transaction_id like $$before-%$$')" = 5 ] ||
  fail 'a movement from before the recovery target is missing'
[ "$(sql 'select count(*) from journal where transaction_id like $$after-%$$')" = 0 ] ||
  fail 'a movement from after the recovery target exists'
[ "$(sql 'select encode(hash, $$hex$$) from ledger_heads')" = "$before" ] ||
  fail 'the journal head is not the one at the recovery target'
wallet verify || fail 'the restored ledger has flaws'
move before-5
move after-1
[ "$(sql 'select count(*) from journal')" = 6 ] || fail 'an id was applied twice, or a new id was not applied'
wallet verify >/dev/null || fail 'the ledger has flaws after new movements'
echo 'Passed: 5 of 5 movements from before and 0 of 3 from after were restored, without flaws; new movements work.'
