-- no transaction
-- Lists the blocked purchases, the latest first; the revocation list names them too.
create index concurrently if not exists purchases_by_block on purchases (workspace_id, blocked_at, id)
  where blocked_at is not null;
-- Finds purchases that many hosts activated lately.
create index concurrently if not exists activations_by_time on activations (workspace_id, created_at)
  where counts;
