-- no transaction
-- The revocation list names the purchases that are no longer active, the latest changes first.
create index concurrently if not exists purchases_ended_by_change
  on purchases (workspace_id, updated_at) where state <> 'active';
