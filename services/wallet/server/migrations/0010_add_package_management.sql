-- Packages are managed while they run: AES keys rotate with an overlap, administrators call by token, and every change leaves a line.

alter table packages
  -- The key before the current one, good until its overlap ends; bound to the row as the current one is.
  add column aes_key_previous_sealed bytea,
  add column aes_key_previous_until timestamptz,
  add column aes_key_rotated_at timestamptz,
  add constraint packages_aes_overlap_check
    check ((aes_key_previous_sealed is null) = (aes_key_previous_until is null));

-- Who changed what. Package 0 is the platform itself, as in `memberships`, so that its events need
-- no table of their own; hence no reference to `packages`.
create table audit_log (
  package_id integer not null check (package_id >= 0),
  id bigint generated always as identity,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('member', 'administrator', 'admin_token', 'operator')),
  actor_person_id bigint,
  actor_token_id bigint,
  address text not null,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  details jsonb not null,
  primary key (package_id, id),
  check ((actor_kind in ('member', 'administrator')) = (actor_person_id is not null)),
  check ((actor_kind = 'admin_token') = (actor_token_id is not null))
);

-- Global: a token opens the platform as a whole, and is found by its hash before anything is known.
create table admin_tokens (
  id bigint generated always as identity primary key,
  name text not null,
  token_hash bytea not null unique check (length(token_hash) = 32),
  -- The last characters, enough to recognise a token in a list and useless to an attacker.
  hint text not null,
  -- Null for a token made at the command line.
  created_by bigint references people (id) on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);

-- Top-ups are few among many movements; their history must not read past all the others.
create index journal_top_ups on journal (package_id, sequence) where kind in (3, 4);
