-- People who sign in to a panel, their sessions, links and roles: the panels need them.
-- All are found by e-mail, session or link before the tenant is known, so all tables are global.

create table people (
  id bigint generated always as identity primary key,
  -- Kept in lower case by the application. The check sees ASCII only ("C"), so that it says the
  -- same on every server, whatever its locale.
  email text not null unique check (email = lower(email collate "C")),
  name text not null,
  -- argon2id in its own text form; null until a reset link set the first password.
  password_hash text,
  -- The TOTP secret, sealed under the master key; it counts once it is confirmed.
  totp_sealed bytea,
  totp_confirmed_at timestamptz,
  -- The time step of the last code taken: a code is good once (RFC 6238, section 5.2).
  totp_last_step bigint,
  recovery_code_hashes bytea[] not null default '{}',
  created_at timestamptz not null,
  password_changed_at timestamptz,
  disabled_at timestamptz,
  check (totp_confirmed_at is null or totp_sealed is not null)
);

create table sessions (
  -- For listing and ending; it opens nothing.
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  person_id bigint not null references people (id) on delete cascade,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  address text not null,
  user_agent text not null check (char_length(user_agent) <= 255)
);
create index sessions_by_person on sessions (person_id);

-- tenant_id 0 is the platform itself: its members are the administrators, and it has no others.
create table memberships (
  tenant_id bigint not null check (tenant_id >= 0),
  person_id bigint not null references people (id) on delete cascade,
  role text not null check (role in ('owner', 'member', 'administrator')),
  created_at timestamptz not null,
  primary key (tenant_id, person_id),
  check ((role = 'administrator') = (tenant_id = 0))
);
create index memberships_by_person on memberships (person_id);

create table one_time_links (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  purpose text not null check (purpose in ('invitation', 'password_reset')),
  email text not null,
  -- Whose password is reset; an invitation names an e-mail that may have no person yet.
  person_id bigint references people (id) on delete cascade,
  tenant_id bigint,
  role text check (role in ('owner', 'member', 'administrator')),
  -- Null for a link made at the command line.
  invited_by bigint references people (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  check ((purpose = 'password_reset') = (person_id is not null)),
  check ((purpose = 'invitation') = (tenant_id is not null and role is not null))
);
create index one_time_links_by_expiry on one_time_links (expires_at);
create index one_time_links_by_tenant on one_time_links (tenant_id);
create index one_time_links_by_person on one_time_links (person_id);

-- Counts failures for all processes together. The key is a keyed hash, so the table tells neither
-- e-mails nor addresses; rows past their window are pruned by the next attempts.
create table sign_in_failures (
  key_hash bytea primary key,
  failures integer not null check (failures >= 0),
  expires_at timestamptz not null
);
create index sign_in_failures_by_expiry on sign_in_failures (expires_at);
