-- no transaction
-- Expired nonces are deleted package by package, so the index begins with the package.
create index concurrently if not exists provider_nonces_by_expiry
  on provider_nonces (package_id, expires_at);
