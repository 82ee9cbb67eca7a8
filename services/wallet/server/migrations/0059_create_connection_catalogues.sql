-- The last good list of the games of a connection, which is served while its provider does not answer.
create table connection_catalogues (
  package_id integer not null,
  connection_id text not null,
  -- The list of another address says nothing about the games of this one.
  upstream_url text not null,
  -- When the provider last confirmed the list.
  taken_at timestamptz not null,
  -- Of the answers as the provider sent them, so that an unchanged list is recognised.
  body_hash bytea not null check (length(body_hash) = 32),
  total integer not null check (total >= 0),
  -- In the format of docs/reference/provider.md, without the prefix of the connection.
  body bytea not null,
  primary key (package_id, connection_id),
  foreign key (package_id, connection_id) references provider_connections (package_id, id)
    on delete cascade
);
