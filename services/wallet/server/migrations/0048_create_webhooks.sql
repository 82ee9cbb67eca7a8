-- Events leave by webhook: an outbox per package, endpoints with their cursors, what waits, and a log.

-- The newest event of a package; locked by whoever writes one, so numbers are in the order of commits.
create table webhook_heads (
  package_id integer primary key references packages (id),
  sequence bigint not null
);

-- Written in the transaction of what they tell of; ids, states and amounts, nothing personal.
create table webhook_events (
  package_id integer not null references packages (id),
  sequence bigint not null,
  at timestamptz not null,
  type text not null,
  subject text not null,
  -- Not jsonb: what is sent again has its members in the order of the first time.
  data json not null,
  primary key (package_id, sequence)
);
create index webhook_events_by_time on webhook_events (at);
create index webhook_events_of_package_by_time on webhook_events (package_id, at, sequence);

create sequence webhook_endpoint_ids;

create table webhook_endpoints (
  package_id integer not null references packages (id),
  id bigint not null default nextval('webhook_endpoint_ids'),
  url text not null,
  description text not null,
  events text[] not null,
  state text not null default 'enabled' check (state in ('enabled', 'disabled')),
  disabled_reason text,
  secret_sealed bytea not null,
  -- The secret before, while a rotation overlaps.
  previous_sealed bytea,
  previous_until timestamptz,
  created_at timestamptz not null,
  last_delivered_at timestamptz,
  -- Since when every attempt has failed, and for how many turns.
  failing_since timestamptz,
  failures int not null default 0,
  paused_until timestamptz,
  -- When the first of what waits is due.
  retry_at timestamptz,
  -- Everything up to here has arrived or stands in `webhook_waiting`.
  outbox_cursor bigint not null,
  -- The same of the package's journal, whose movements are events as they are.
  journal_cursor bigint not null,
  -- The process that delivers; it loses the claim when its time is over.
  lease_owner text,
  lease_until timestamptz not null default '-infinity',
  primary key (package_id, id),
  check ((previous_sealed is null) = (previous_until is null)),
  check ((state = 'disabled') = (disabled_reason is not null))
) with (fillfactor = 70);

create sequence webhook_waiting_ids;

-- Events that failed, those behind them of the same subject, and replays; sent in the order of their ids.
create table webhook_waiting (
  package_id integer not null,
  endpoint_id bigint not null,
  id bigint not null default nextval('webhook_waiting_ids'),
  event_id text not null,
  subject text not null,
  attempts int not null,
  since timestamptz not null,
  next_attempt_at timestamptz not null,
  primary key (package_id, endpoint_id, id),
  foreign key (package_id, endpoint_id) references webhook_endpoints (package_id, id)
    on delete cascade
);
create index webhook_waiting_by_subject on webhook_waiting (package_id, endpoint_id, subject, id);

create sequence webhook_delivery_ids;

-- One line per attempt. A partition per day (UTC), made ahead and dropped by the service.
create table webhook_deliveries (
  package_id integer not null,
  at timestamptz not null,
  id bigint not null default nextval('webhook_delivery_ids'),
  endpoint_id bigint not null,
  event_id text not null,
  type text not null,
  subject text not null,
  attempt int not null,
  status smallint,
  outcome text not null,
  duration_ms int not null,
  error text,
  next_attempt_at timestamptz,
  primary key (package_id, at, id)
) partition by range (at);
create index webhook_deliveries_by_endpoint on webhook_deliveries (package_id, endpoint_id, at, id);
create index webhook_deliveries_by_outcome
  on webhook_deliveries (package_id, endpoint_id, outcome, at, id);

-- How far the journal was looked through for changes of the credit's level, and how it stood there.
create table credit_watches (
  package_id integer primary key references packages (id),
  sequence bigint not null,
  credit bigint not null,
  -- Null where all is well.
  level text
);
