-- Test keys: they belong to a twin of the workspace, which holds test data and nothing else.

-- The workspace that this one is the test of; each has one at most.
alter table workspaces add column sandbox_of bigint unique references workspaces (id);
