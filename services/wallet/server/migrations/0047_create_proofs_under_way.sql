-- Proofs that run, so that every process can show how far one is and none starts a second.
-- `until` is moved on while it runs; a process that died leaves a claim that ends by itself.
create table proofs_under_way (
  package_id integer primary key references packages (id),
  movements bigint not null,
  total bigint not null,
  until timestamptz not null
);
