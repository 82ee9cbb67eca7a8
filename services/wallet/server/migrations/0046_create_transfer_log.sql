-- Repeats, conflicts and open refusals of update_balance leave a trace too, so that the inspector can show every attempt of an id.

create sequence transfer_log_ids;

-- As callback_log: no header, no amount, no secret; a partition per day (UTC), made ahead and dropped
-- when no longer kept. First answers and final refusals stand in the journal.
create table transfer_log (
  package_id integer not null,
  at timestamptz not null,
  id bigint not null default nextval('transfer_log_ids'),
  -- The same attempt within one second is one line.
  attempts integer not null check (attempts > 0),
  request_id text not null,
  address text not null,
  type text not null,
  transaction_id text not null,
  player_id text not null,
  status smallint not null,
  -- The error's code; empty where the answer was a success.
  code text not null,
  -- What the first answer came to; empty where there was none.
  result text not null,
  -- The field that a conflict or a wrong parameter was about.
  field text not null,
  primary key (package_id, at, id)
) partition by range (at);
create index transfer_log_transactions on transfer_log (package_id, transaction_id, at, id);
