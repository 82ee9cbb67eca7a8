-- Sellers need proof of a purchase that works without a call: keys that sign licences, and the terms of licences.

create sequence signing_key_ids;

create table signing_keys (
  workspace_id bigint not null references workspaces (id),
  id bigint not null default nextval('signing_key_ids'),
  -- The RFC 7638 thumbprint of the public key.
  kid text not null check (length(kid) = 43),
  public_key bytea not null check (length(public_key) = 32),
  private_key_sealed bytea not null,
  created_at timestamptz not null,
  -- The newest key whose time has come signs. A key is public before it signs, so that clients can load it.
  signs_from timestamptz not null,
  -- Null until a rotation; afterwards the end of the overlap.
  published_until timestamptz,
  primary key (workspace_id, id),
  unique (workspace_id, kid)
);

-- The terms that a seller has set: for one item, or with item 0 for all items. Null means that the terms of
-- the workspace apply, or otherwise the defaults.
create table licence_terms (
  workspace_id bigint not null references workspaces (id),
  item_id bigint not null,
  valid_days int check (valid_days between 1 and 365),
  grace_days int check (grace_days between 0 and 30),
  term_months int check (term_months between 0 and 120),
  primary key (workspace_id, item_id)
);

-- The revocation list names the codes that were replaced lately.
create index retired_codes_by_time on retired_codes (workspace_id, retired_at);
