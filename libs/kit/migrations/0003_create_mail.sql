-- Both services send mail: an outbox whose rows are written in the transaction of their cause, and the language
-- that each person reads.

alter table people add column language text check (language in ('en', 'de'));

create sequence mail_ids;

create table mail_outbox (
  -- The workspace or package that the message concerns; 0 for the platform and for people without a tenant.
  tenant_id bigint not null check (tenant_id >= 0),
  id bigint not null,
  kind text not null,
  recipient text not null,
  language text not null,
  -- The values of the template, sealed under the master key, because a link opens an account. The column is
  -- emptied once the message was accepted.
  content_sealed bytea,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts int not null default 0,
  created_at timestamptz not null,
  next_attempt_at timestamptz not null,
  -- The message is not sent after this time, because its link no longer works.
  expires_at timestamptz,
  finished_at timestamptz,
  error text,
  smtp_status smallint,
  -- The process that sends the message; it loses the claim when its time is over.
  lease_owner text,
  lease_until timestamptz not null default '-infinity',
  primary key (tenant_id, id),
  check ((state = 'waiting') = (finished_at is null))
) with (fillfactor = 70);
create index mail_outbox_by_due_time on mail_outbox (next_attempt_at) where state = 'waiting';
create index mail_outbox_by_recipient on mail_outbox (recipient, kind, created_at);
create index mail_outbox_by_finish on mail_outbox (finished_at) where state <> 'waiting';
-- Undelivered messages, of one tenant and of all tenants, as the panels list them.
create index mail_outbox_undelivered_of_tenant on mail_outbox (tenant_id, id)
  where state = 'failed' or (state = 'waiting' and attempts > 0);
create index mail_outbox_undelivered on mail_outbox (id)
  where state = 'failed' or (state = 'waiting' and attempts > 0);
