-- Callbacks leave a trace: repeats and refusals in a log, forgeries in the audit log; rounds can be listed.

create sequence callback_log_ids;

-- One line per repeat, refusal or failure of a callback; first deliveries stand in the journal. No
-- header and no secret. A partition per day (UTC), made ahead and dropped when no longer kept.
create table callback_log (
  package_id integer not null,
  at timestamptz not null,
  id bigint not null default nextval('callback_log_ids'),
  -- The same attempt within one second is one line.
  attempts integer not null check (attempts > 0),
  request_id text not null,
  address text not null,
  action text not null,
  transaction_id text not null,
  player_id text not null,
  round_id text not null,
  status smallint not null,
  -- The error's code; empty where the answer was a success.
  code text not null,
  -- What the answer said of the movement; empty where it said nothing.
  result text not null,
  -- The field that a conflict or a wrong parameter was about.
  field text not null,
  primary key (package_id, at, id)
) partition by range (at);
create index callback_log_transactions on callback_log (package_id, transaction_id, at, id);

-- Rounds that are open, the oldest first. It does not hold the round's hash, so that a look-up by
-- that, planned while the table was empty, can take no index but the primary key.
create index rounds_open on rounds (package_id, opened_at) where state = 0;

-- Whoever forges a callback is nobody that we know.
alter table audit_log drop constraint audit_log_actor_kind_check;
alter table audit_log add constraint audit_log_actor_kind_check
  check (actor_kind in ('member', 'administrator', 'admin_token', 'operator', 'stranger'));
