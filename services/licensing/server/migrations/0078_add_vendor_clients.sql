-- The vendors whose clients may call the service with keys of this workspace. By default there are none.
alter table workspaces add column vendor_clients text[] not null default '{}'
  check (vendor_clients <@ array['envato', 'gumroad', 'lemon_squeezy']);
