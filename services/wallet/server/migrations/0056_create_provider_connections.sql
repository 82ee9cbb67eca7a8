-- A connection lets a game provider call the wallet in the provider's own protocol (its dialect).
create table provider_connections (
  package_id integer not null references packages (id),
  -- Begins with the number of the package, because the address of a call contains nothing else.
  id text not null,
  number bigint generated always as identity,
  name text not null,
  dialect text not null check (dialect in ('valkyrie', 'softswiss', 'hub88', 'slotegrator')),
  -- A variant of the dialect: `caleta` of hub88. Empty if there is none.
  profile text not null default '',
  state text not null default 'active' check (state in ('active', 'paused')),
  game_prefix text not null default '',
  -- The package's currency by the provider's code for it.
  currencies jsonb not null default '{}',
  -- The credentials of both directions as a JSON object, sealed with the master key.
  secrets_sealed bytea not null,
  -- The credentials before the last rotation, and until when the provider may still use them.
  previous_sealed bytea,
  previous_until timestamptz,
  -- Where games are listed and launched; null if the connection only receives calls.
  upstream_url text,
  created_at timestamptz not null,
  primary key (package_id, id),
  check ((previous_sealed is null) = (previous_until is null))
);

-- The connection whose game was launched; null for games of the configured upstream.
alter table game_sessions add column connection_id text,
  -- When another session took the place of this one, because the provider asked for a new token.
  add column replaced_at timestamptz;

create sequence provider_call_ids;

-- One line per call of a provider to a connection, with a partition per day (UTC). No header, no secret.
create table provider_calls (
  package_id integer not null,
  at timestamptz not null,
  id bigint not null default nextval('provider_call_ids'),
  connection_id text not null,
  request_id text not null,
  address text not null,
  -- The method and path of the call, without the address of the connection.
  operation text not null,
  player_id text not null,
  -- The provider's ids of the transactions that the call contains.
  transaction_ids text[] not null,
  round_id text not null,
  status smallint not null,
  -- The wallet's code of a refusal or failure; empty if the call was carried out.
  code text not null,
  -- The meaning of the call and its result as JSON; empty if the call could not be read.
  meaning text not null,
  -- The body as it was sent, without tokens, up to 4,096 characters.
  body text not null,
  primary key (package_id, at, id)
) partition by range (at);
create index provider_calls_by_connection on provider_calls (package_id, connection_id, at, id);
