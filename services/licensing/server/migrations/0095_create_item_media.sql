-- Sellers upload images, audio and video of items instead of entering URLs. One row per served file. An item
-- refers to the file by its URL, so the published item API is unchanged.
create table item_media (
  workspace_id bigint not null,
  file_key text not null,
  item_id bigint not null,
  field text not null
    check (field in ('thumbnail', 'preview_image', 'preview_video', 'preview_audio', 'screenshots')),
  -- Whether the service made the file from another upload. A new upload replaces such a file.
  is_generated boolean not null,
  type text not null,
  bytes bigint not null check (bytes > 0),
  sha256 bytea not null check (length(sha256) = 32),
  -- The hash of the upload, from which the file was made. A repeated upload is recognised by it.
  source_sha256 bytea not null check (length(source_sha256) = 32),
  created_at timestamptz not null,
  -- From this time on the file is not served. The row stays until the file is removed from the disk.
  removed_at timestamptz,
  primary key (workspace_id, file_key),
  foreign key (workspace_id, item_id) references items (workspace_id, id)
);
create index item_media_by_item on item_media (workspace_id, item_id);
create index item_media_removed on item_media (workspace_id, file_key) where removed_at is not null;
