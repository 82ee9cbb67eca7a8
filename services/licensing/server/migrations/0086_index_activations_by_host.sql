-- no transaction
-- Finds the purchases that are or were in use on a host, newest first.
create index concurrently if not exists activations_by_host on activations (workspace_id, target, purchase_id);
