-- Each filter of the panel's logs finds its rows by an index: a filter that matches little must not read a log to its end.
-- Both are written in the background or a few times an hour: waiting while an index is built is not felt.
create index callback_log_players on callback_log (package_id, player_id, at, id);
create index callback_log_codes on callback_log (package_id, code, at, id);
create index audit_log_actions on audit_log (package_id, action, id);
