-- Sellers want to know when software asks for a seat and gets none. One row per purchase and refused host, so
-- that a host that asks again and again is reported once a day.

create table activation_refusals (
  workspace_id bigint not null,
  purchase_id bigint not null,
  -- The keyed hash that an activation of this host would have. The name of the host is not stored.
  target_hash bytea not null check (length(target_hash) = 32),
  refused_at timestamptz not null,
  primary key (workspace_id, purchase_id, target_hash),
  foreign key (workspace_id, purchase_id) references purchases (workspace_id, id)
);
create index activation_refusals_by_time on activation_refusals (workspace_id, refused_at);
