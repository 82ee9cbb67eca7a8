-- Customer packages with their credentials, players, and the closed double-entry ledger.

-- Global: a package is found by its UID before the tenant is known.
create table packages (
  id integer generated always as identity primary key,
  uid text not null unique,
  name text not null,
  state text not null check (state in ('pending', 'approved', 'suspended')),
  currency text not null,
  domains text[] not null default '{}',
  caller_addresses text[] not null default '{}',
  callback_addresses text[] not null default '{}',
  overdraft_limit bigint not null default 0 check (overdraft_limit >= 0),
  alert_threshold bigint not null default 0 check (alert_threshold >= 0),
  callback_security text not null default 'headers'
    check (callback_security in ('headers', 'signed', 'encrypted')),
  aes_key_sealed bytea not null,
  created_at timestamptz not null default now()
);

create table package_keys (
  package_id integer not null references packages (id),
  id bigint generated always as identity,
  purpose text not null check (purpose in ('caller', 'callback')),
  api_key text not null,
  secret_hash bytea not null check (length(secret_hash) = 32),
  -- Callback pairs only: they are registered with the upstream, which needs the secret itself.
  secret_sealed bytea,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (package_id, id),
  unique (package_id, api_key),
  check ((purpose = 'callback') = (secret_sealed is not null))
);

-- One row per account; 1 is the package's credit, 2 the house, 3 issuance, players from 1001 on.
-- Narrow and with room on every page, because each movement updates two of these rows in place.
create table accounts (
  package_id integer not null references packages (id),
  id bigint not null,
  balance bigint not null default 0,
  -- The newest movement of this account; from there the journal links back, row by row.
  last_sequence bigint not null default 0,
  updated_at timestamptz not null default now(),
  primary key (package_id, id),
  check (balance >= 0 or id in (1, 2, 3)),
  check (id in (2, 3) or balance < 1000000000000000)
) with (fillfactor = 70);

create sequence player_account_ids start 1001;

-- Whatever is personal about a player stands here, outside the journal and its hash chain.
create table players (
  package_id integer not null references packages (id),
  account_id bigint not null default nextval('player_account_ids'),
  player_id text not null,
  name text not null default '',
  metadata jsonb,
  status text not null default 'active' check (status in ('active', 'blocked')),
  created_at timestamptz not null default now(),
  primary key (package_id, account_id),
  unique (package_id, player_id),
  foreign key (package_id, account_id) references accounts (package_id, id)
);

-- The end of each package's journal, and the row that is locked to write it.
create table ledger_heads (
  package_id integer primary key references packages (id),
  sequence bigint not null default 0,
  hash bytea not null check (length(hash) = 32)
);

-- One row per movement: both accounts, the amount, both balances after it. Never updated.
-- `previous_sequence` links the player's movements, so a statement needs no index of its own.
create table journal (
  sequence bigint not null,
  previous_sequence bigint not null,
  debit_account bigint not null,
  credit_account bigint not null,
  amount bigint not null check (amount >= 0),
  debit_balance bigint not null,
  credit_balance bigint not null,
  created_at timestamptz not null,
  -- The first half of SHA-256 over the id's space and text: short, of one length, and unique.
  id_hash uuid not null,
  package_id integer not null,
  kind smallint not null,
  transaction_id text not null,
  hash bytea not null check (length(hash) = 32),
  primary key (package_id, sequence),
  unique (package_id, id_hash)
);
