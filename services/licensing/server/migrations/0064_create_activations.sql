-- Where purchases are in use: the hosts and machines that activated a code, and how many may at once.

create sequence activation_ids;

-- One row for a purchase and a place, however often the software is installed there again.
create table activations (
  workspace_id bigint not null,
  id bigint not null default nextval('activation_ids'),
  purchase_id bigint not null,
  target_kind text not null check (target_kind in ('domain', 'machine')),
  -- The place is recognised by its keyed hash; its name is for people, and null once erased.
  target_hash bytea not null check (length(target_hash) = 32),
  target text,
  -- Local, private and staging hosts take no place, nor does what the seller released by hand.
  counts boolean not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  released_at timestamptz,
  primary key (workspace_id, id),
  unique (workspace_id, purchase_id, target_hash),
  foreign key (workspace_id, purchase_id) references purchases (workspace_id, id)
);

-- What a seller set: for one item, or with item 0 for all. Null is "as for all", or as we begin.
create table activation_limits (
  workspace_id bigint not null references workspaces (id),
  item_id bigint not null,
  regular int check (regular between 0 and 10000),
  extended int check (extended between 0 and 10000),
  moves int check (moves between 0 and 100),
  primary key (workspace_id, item_id)
);
