-- Sellers generate or import purchase codes before the sales. A pool holds codes until they are handed out.

create sequence code_pool_ids;

-- The counts are stored, so that a list of pools need not count codes.
create table code_pools (
  workspace_id bigint not null,
  id bigint not null default nextval('code_pool_ids'),
  name text not null,
  item_id bigint not null,
  license_type text not null check (license_type in ('Regular', 'Extended')),
  price_minor bigint not null check (price_minor >= 0),
  currency text not null,
  -- Null means the months of the workspace at the time when a code is handed out.
  support_months int check (support_months between 0 and 120),
  low_stock_below int not null check (low_stock_below between 0 and 100000),
  -- When the free codes fell below `low_stock_below`. Null while there are enough.
  low_stock_at timestamptz,
  free_count bigint not null default 0 check (free_count >= 0),
  assigned_count bigint not null default 0 check (assigned_count >= 0),
  withdrawn_count bigint not null default 0 check (withdrawn_count >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id),
  unique (workspace_id, name),
  foreign key (workspace_id, item_id) references items (workspace_id, id)
);
create index code_pools_by_item on code_pools (workspace_id, item_id, id);

create sequence pool_code_ids;

-- The codes of pools, stored like the codes of purchases. Validation does not read this table, so a code that
-- was not handed out is an unknown code. The sealed copy is deleted when the code is handed out or withdrawn.
create table pool_codes (
  workspace_id bigint not null,
  code_hash bytea not null check (length(code_hash) = 32),
  pool_id bigint not null,
  -- Codes are handed out in the order of their ids.
  id bigint not null default nextval('pool_code_ids'),
  code_sealed bytea,
  state text not null default 'free' check (state in ('free', 'assigned', 'withdrawn')),
  purchase_id bigint,
  primary key (workspace_id, code_hash),
  foreign key (workspace_id, pool_id) references code_pools (workspace_id, id),
  foreign key (workspace_id, purchase_id) references purchases (workspace_id, id),
  check ((state = 'free') = (code_sealed is not null)),
  check ((state = 'assigned') = (purchase_id is not null))
);
create index pool_codes_free on pool_codes (workspace_id, pool_id, id) where state = 'free';
