-- Keys that can be rotated and watched, and the trace that requests leave: log and hourly counts.

alter table api_keys
  -- The key that took this one's place in a rotation.
  add column replaced_by bigint references api_keys (id),
  -- For plug-ins that read the purchase's item at the top level, as an old server gave it.
  add column legacy_item boolean not null default false;

-- When and from where a key was last used. Apart from `api_keys`: it is written every second in the
-- background, and must never wait for, or hold up, a change of the key itself.
create table api_key_uses (
  workspace_id bigint not null references workspaces (id),
  api_key_id bigint not null,
  last_used_at timestamptz not null,
  last_used_address text not null,
  primary key (workspace_id, api_key_id)
);

create sequence request_log_ids;

-- One line per answered request under a key; no key, no full code. A partition per day (UTC), made
-- ahead and dropped when its day is no longer kept; the service does both.
create table request_log (
  workspace_id bigint not null,
  at timestamptz not null,
  id bigint not null default nextval('request_log_ids'),
  api_key_id bigint not null,
  request_id text not null,
  address text not null,
  method text not null,
  route text not null,
  status smallint not null,
  -- The error's code; empty where the answer was a success.
  code text not null,
  duration_ms real not null,
  item_id bigint,
  code_hint text not null,
  primary key (workspace_id, at, id)
) partition by range (at);
create index request_log_failures on request_log (workspace_id, at, id) where status >= 400;

-- Validations per hour and item, for the dashboard; item 0 where the code led to none. A partition
-- per month, as above.
create table validation_hours (
  workspace_id bigint not null,
  hour timestamptz not null,
  item_id bigint not null,
  valid bigint not null,
  invalid bigint not null,
  primary key (workspace_id, hour, item_id)
) partition by range (hour);
