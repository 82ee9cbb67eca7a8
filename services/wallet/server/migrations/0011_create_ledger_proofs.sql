-- The last proof of each ledger, so that every process can show it.
create table ledger_proofs (
  package_id integer primary key references packages (id),
  finished_at timestamptz not null,
  result jsonb not null
);
