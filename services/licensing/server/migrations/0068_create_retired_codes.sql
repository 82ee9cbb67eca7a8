-- Purchase codes that were replaced by another: they never validate and are never given again.

create table retired_codes (
  workspace_id bigint not null,
  code_hash bytea not null check (length(code_hash) = 32),
  purchase_id bigint not null,
  retired_at timestamptz not null,
  -- The caller's Idempotency-Key as a hash: the same request again replaces no second code.
  idempotency_hash bytea check (length(idempotency_hash) = 32),
  primary key (workspace_id, code_hash),
  foreign key (workspace_id, purchase_id) references purchases (workspace_id, id)
);
create unique index retired_codes_by_request
  on retired_codes (workspace_id, purchase_id, idempotency_hash)
  where idempotency_hash is not null;
