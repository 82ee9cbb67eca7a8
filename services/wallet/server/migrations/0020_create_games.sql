-- Games are listed and launched: the last good catalogues, players' sessions, and what the upstream must be told.

alter table packages
  -- Whether the provider's shared session may stand in when the private launch is unavailable.
  add column shared_launch boolean not null default false;

-- Global: there is one upstream for all packages. A row per source, so that each is held against itself.
create table catalogue_copies (
  source text primary key check (source in ('private', 'public')),
  -- Null while nothing good has come from this source.
  taken_at timestamptz,
  body_hash bytea check (length(body_hash) = 32),
  total integer check (total >= 0),
  -- As the source sent it; it is read again as if it came now.
  body bytea,
  -- An administrator takes a list of this size, though it shrank; spent by the next copy.
  accepted_total integer check (accepted_total >= 0),
  check ((taken_at is null) = (body is null) and (body is null) = (body_hash is null)
    and (body_hash is null) = (total is null))
);

-- Written before the provider is asked, so that a callback that is faster than the answer finds it.
create table game_sessions (
  package_id integer not null references packages (id),
  id text not null,
  number bigint generated always as identity,
  account_id bigint not null,
  game_id text not null,
  mode text not null check (mode in ('real', 'demo')),
  -- Null until the provider has given an address.
  source text check (source in ('private', 'shared')),
  -- Why the private launch failed, when it did.
  private_failure text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (package_id, id),
  foreign key (package_id, account_id) references players (package_id, account_id)
);
create index game_sessions_by_number on game_sessions (package_id, number);

-- A queue of one place per package: whatever changed, the upstream is told the newest.
create table upstream_registrations (
  package_id integer primary key references packages (id),
  wanted bigint not null default 1,
  done bigint not null default 0 check (done <= wanted),
  attempts integer not null default 0,
  next_try_at timestamptz not null,
  registered_at timestamptz,
  last_error text
);
create index upstream_registrations_waiting on upstream_registrations (package_id, next_try_at)
  where done < wanted;
