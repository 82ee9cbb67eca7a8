-- The first refusal of a provider's request, which is the answer to every repeat of the request.
create table refused_requests (
  package_id integer not null,
  request_hash uuid not null,
  player_id text not null,
  code text not null,
  balance bigint,
  created_at timestamptz not null,
  primary key (package_id, request_hash)
);
create index refused_requests_by_age on refused_requests (package_id, created_at);

-- A refused request also has a row in `bet_states`, because every write checks that table. The constraint
-- stops a write that was decided before the refusal was stored. A null column takes no space in a row.
alter table bet_states add column is_refused boolean;
alter table bet_states add constraint refused_request_stays_refused
  check (is_refused is null or sequence = 0) not valid;
