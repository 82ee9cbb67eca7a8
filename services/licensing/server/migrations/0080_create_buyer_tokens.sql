-- Buyers sign in to the buyer portal: one-time links and sessions. A buyer is an e-mail address, which may
-- have purchases in several workspaces, so these rows belong to no workspace.

create table buyer_tokens (
  token_hash bytea primary key check (length(token_hash) = 32),
  purpose text not null check (purpose in ('link', 'session')),
  -- In the form in which purchases are searched: lower case.
  email text not null,
  -- The workspaces in which the buyer had purchases at sign-in.
  workspace_ids bigint[] not null,
  -- Set for a session that was opened with a purchase code: the session shows only this purchase.
  purchase_id bigint,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index buyer_tokens_by_expiry on buyer_tokens (expires_at);
create index buyer_tokens_by_email on buyer_tokens (email);

-- The audit log names buyers who release a host or replace a code. It stores nothing else about the buyer,
-- because an erasure does not change the audit log.
alter table audit_log add column actor_is_buyer boolean not null default false;
