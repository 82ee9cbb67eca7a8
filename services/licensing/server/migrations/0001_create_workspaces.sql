-- Sellers' workspaces, their public account, and the API keys that open them.

-- Global: a workspace is found before its tenant is known.
create table workspaces (
  id bigint generated always as identity primary key,
  name text not null,
  support_enabled boolean not null default true,
  created_at timestamptz not null default now()
);

create table accounts (
  workspace_id bigint primary key references workspaces (id),
  firstname text not null default '',
  lastname text not null default '',
  username text not null default '',
  email text not null default '',
  balance_minor bigint not null default 0,
  currency text not null,
  heading text not null default '',
  description text not null default '',
  contact_email text not null default '',
  social_links jsonb not null default '{}',
  avatar_url text not null default '',
  cover_url text not null default '',
  is_seller boolean not null default true,
  registered_at timestamptz not null default now()
);

-- Global: a key is found by its hash before its workspace is known.
create table api_keys (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces (id),
  name text not null,
  kind text not null check (kind in ('secret', 'publishable')),
  key_hash bytea not null unique check (length(key_hash) = 32),
  -- For the reveal in the panel, which asks for the password again.
  key_sealed bytea not null,
  -- The first and last characters, enough to recognise a key in a list and useless to an attacker.
  hint text not null,
  scopes text[] not null,
  item_id bigint,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  check ((kind = 'publishable') = (item_id is not null))
);
create index api_keys_by_workspace on api_keys (workspace_id, id);
