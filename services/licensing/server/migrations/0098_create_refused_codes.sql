-- Sellers want to know who guesses codes at the update server and in the buyer portal. These requests have no
-- API key, so they are not in the request log. One row per caller, hour and ending of the code, so that a
-- caller who repeats a code adds no rows. A partition per day (UTC), which the service creates and drops.

create table refused_codes (
  workspace_id bigint not null,
  hour timestamptz not null,
  address text not null,
  -- The last characters of the code, as in the request log.
  code_hint text not null,
  failures bigint not null,
  last_at timestamptz not null,
  primary key (workspace_id, hour, address, code_hint)
) partition by range (hour);
