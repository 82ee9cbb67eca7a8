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
  -- A sandbox twin names the package that it is the test of.
  sandbox_of integer unique references packages (id),
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
  check (balance < 1000000000000000 or id in (2, 3))
) with (fillfactor = 70);

create sequence player_account_ids start 1001;

-- Whatever is personal about a player stands here, outside the journal and its hash chain.
create table players (
  package_id integer not null references packages (id),
  account_id bigint not null,
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
) with (fillfactor = 50);

-- One row per movement or final refusal: both accounts, the amount, both balances after it.
-- Never updated. Fixed-length columns come first, so that no row is padded.
create table journal (
  sequence bigint not null,
  -- The player's movement before this one (0: none), so a statement needs no index of its own.
  previous_sequence bigint not null,
  debit_account bigint not null,
  credit_account bigint not null,
  amount bigint not null check (amount >= 0),
  debit_balance bigint not null,
  credit_balance bigint not null,
  created_at timestamptz not null,
  package_id integer not null,
  kind smallint not null,
  result smallint not null,
  -- Half of SHA-256 over the id's space, leg and text: short, of one length, and unique.
  id_hash uuid not null,
  hash bytea not null check (length(hash) = 32),
  transaction_id text not null,
  note_hash uuid,
  -- Of callbacks: the bet referred to, the round, the round's movement before this one, the game.
  reference_hash uuid,
  round_hash uuid,
  round_previous bigint,
  game_id text,
  primary key (package_id, sequence),
  unique (package_id, id_hash)
);

-- Free text of a caller's movement: outside the chain, which covers its hash, so it can be erased.
create table journal_notes (
  package_id integer not null,
  sequence bigint not null,
  note text not null,
  primary key (package_id, sequence)
);

-- What became of a player's bet: settled, rolled back, or rolled back before it came.
create table bet_states (
  package_id integer not null,
  bet_hash uuid not null,
  account_id bigint not null,
  state smallint not null,
  sequence bigint not null,
  primary key (package_id, bet_hash, account_id)
);

-- A player's round; `last_sequence` is its newest movement, from which the journal links back.
create table rounds (
  package_id integer not null,
  round_hash uuid not null,
  account_id bigint not null,
  round_id text not null,
  game_id text,
  state smallint not null,
  bet_total bigint not null default 0,
  win_total bigint not null default 0,
  last_sequence bigint not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  primary key (package_id, round_hash, account_id)
) with (fillfactor = 80);
