-- Update feeds: the channel and the requirements of a version, the updates that a licence includes, and the
-- version that each buyer downloaded last.

alter table item_versions
  add column channel text not null default 'stable' check (channel in ('stable', 'beta')),
  add column requires text not null default '',
  add column tested text not null default '',
  add column requires_php text not null default '',
  -- Composer verifies archives by SHA-1. The hash is null for files that were uploaded before.
  add column file_sha1 bytea;

alter table purchases add column downloaded_version text;

alter table licence_terms add column updates text check (updates in ('support', 'always'));

-- The address of an update feed contains only the id of its item, so the workspace must be found by the item.
create table item_owners (
  item_id bigint primary key,
  workspace_id bigint not null references workspaces (id)
);
insert into item_owners (item_id, workspace_id) select id, workspace_id from items;
