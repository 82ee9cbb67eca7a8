-- What a whole database is, rather than what is in it: above all, whether it holds the demo's data.
create table service_facts (
  name text primary key,
  value bytea not null,
  created_at timestamptz not null default now()
);
