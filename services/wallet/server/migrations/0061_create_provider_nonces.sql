-- Nonces of signed provider calls, each of which is accepted once by all processes together.
-- Unlogged: a nonce counts for ten minutes, and only a crash of the database server forgets it earlier.
create unlogged table provider_nonces (
  package_id integer not null,
  connection_id text not null,
  nonce text not null,
  expires_at timestamptz not null,
  primary key (package_id, connection_id, nonce)
);
