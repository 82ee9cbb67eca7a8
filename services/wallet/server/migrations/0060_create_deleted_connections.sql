-- The names of deleted connections: their movements, rounds and calls are still shown and looked up.
create table deleted_connections (
  package_id integer not null references packages (id),
  id text not null,
  name text not null,
  dialect text not null,
  deleted_at timestamptz not null,
  primary key (package_id, id)
);
