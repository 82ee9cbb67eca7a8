-- When each key pair was last used. It is apart from `package_keys`, so that the background write of a use never
-- waits for a rotation, and a rotation never waits for it.
create table package_key_uses (
  package_id integer not null,
  key_id bigint not null,
  last_used_at timestamptz not null,
  primary key (package_id, key_id),
  foreign key (package_id, key_id) references package_keys (package_id, id)
);
