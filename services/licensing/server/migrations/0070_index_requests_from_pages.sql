-- Finds the requests of web pages with a secret key in the request log. PostgreSQL builds no index of a
-- partitioned table concurrently. The log is written in the background: no request waits for the build.
create index request_log_pages on request_log (workspace_id, at, id) where page_origin <> '';
