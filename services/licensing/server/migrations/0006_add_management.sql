-- What management and import need: ids of the seller's own, sales that are recorded once, erasure.

-- The seller's own id of an item, by which an import finds it again.
alter table items add column external_id text;
create unique index items_by_external_id on items (workspace_id, external_id)
  where external_id is not null;

alter table purchases
  -- The caller's Idempotency-Key and what came with it, both as hashes.
  add column idempotency_hash bytea check (length(idempotency_hash) = 32),
  add column input_hash bytea check (length(input_hash) = 32),
  -- Once erased, a repeated import must not bring the buyer back.
  add column buyer_erased_at timestamptz,
  add check (buyer_erased_at is null or (buyer_name is null and buyer_email is null));
create unique index purchases_by_idempotency on purchases (workspace_id, idempotency_hash)
  where idempotency_hash is not null;

-- Lists of what is not active; those that are need no index of their own, they are most.
create index purchases_by_state on purchases (workspace_id, state, id) where state <> 'active';
