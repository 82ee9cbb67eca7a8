-- Each filter of the panel's lists finds its rows by an index: one that matches little must not read a list to its end.
-- Logs are written in the background, items and sales a few times a minute: a wait while an index is built is not felt.
create index items_by_state on items (workspace_id, state, id);
create index items_by_kind on items (workspace_id, kind, id);
-- By how the name begins, whatever the database's own order of letters is. Not a partial one: its
-- statistics would not count, and a beginning that many names have would be read whole and sorted.
create index purchases_by_buyer_name on purchases (workspace_id, lower(buyer_name) text_pattern_ops, id);
create index request_log_keys on request_log (workspace_id, api_key_id, at, id);
create index request_log_codes on request_log (workspace_id, code, at, id) where status >= 400;
create index request_log_faults on request_log (workspace_id, at, id) where status >= 500;
create index audit_log_actions on audit_log (workspace_id, action, id);
