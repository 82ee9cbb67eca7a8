-- What sellers sell and what buyers bought, with the trail of every change and call.

-- One sequence for all workspaces: an item's id never stands in two of them.
create sequence item_ids;

create table items (
  workspace_id bigint not null references workspaces (id),
  id bigint not null default nextval('item_ids'),
  kind text not null check (kind in ('image', 'video', 'audio')),
  state text not null default 'draft' check (state in ('draft', 'published', 'withdrawn')),
  name text not null,
  description text not null default '',
  category text not null default '',
  sub_category text not null default '',
  options text[] not null default '{}',
  version text not null default '1.0.0',
  demo_link text not null default '',
  tags text[] not null default '{}',
  thumbnail_url text not null default '',
  preview_image_url text not null default '',
  preview_video_url text not null default '',
  preview_audio_url text not null default '',
  screenshot_urls text[] not null default '{}',
  price_regular_minor bigint not null check (price_regular_minor >= 0),
  price_extended_minor bigint not null check (price_extended_minor >= 0),
  currency text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  published_at timestamptz,
  primary key (workspace_id, id),
  check (state = 'draft' or published_at is not null)
);

-- A version of an item, and the file that its buyers download.
create table item_versions (
  workspace_id bigint not null,
  item_id bigint not null,
  version text not null,
  notes text not null default '',
  created_at timestamptz not null default now(),
  file_key text,
  file_name text,
  file_bytes bigint check (file_bytes >= 0),
  file_sha256 bytea,
  uploaded_at timestamptz,
  primary key (workspace_id, item_id, version),
  foreign key (workspace_id, item_id) references items (workspace_id, id),
  check ((file_key is null) = (uploaded_at is null))
);

create sequence purchase_ids;

-- A code is found by its keyed hash and shown again from its sealed copy; it never stands in clear.
create table purchases (
  workspace_id bigint not null,
  id bigint not null default nextval('purchase_ids'),
  code_hash bytea not null check (length(code_hash) = 32),
  code_sealed bytea not null,
  code_hint text not null,
  item_id bigint not null,
  license_type text not null check (license_type in ('Regular', 'Extended')),
  price_minor bigint not null check (price_minor >= 0),
  currency text not null,
  state text not null default 'active'
    check (state in ('active', 'refunded', 'cancelled', 'disputed')),
  supported_until timestamptz,
  downloaded_at timestamptz,
  purchased_at timestamptz not null,
  -- Personal data of the buyer; null when never given or erased.
  buyer_name text,
  buyer_email text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, code_hash),
  foreign key (workspace_id, item_id) references items (workspace_id, id)
);
create index purchases_by_item on purchases (workspace_id, item_id, id);
create index purchases_by_buyer on purchases (workspace_id, lower(buyer_email))
  where buyer_email is not null;

create sequence audit_ids;

-- Who changed what; never a secret, never a full code.
create table audit_log (
  workspace_id bigint not null references workspaces (id),
  id bigint not null default nextval('audit_ids'),
  at timestamptz not null,
  -- A person, an API key, or neither: an operator at the command line.
  actor_person_id bigint,
  actor_api_key_id bigint,
  address text not null default '',
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  details jsonb not null default '{}',
  primary key (workspace_id, id)
);
