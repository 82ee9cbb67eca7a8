-- Buyers get a mail before their support ends, if the owners of the workspace want it.

-- 'off', or the language of the mail.
alter table workspaces add column buyer_support_mail text not null default 'off'
  check (buyer_support_mail in ('off', 'en', 'de'));

alter table purchases
  -- The end of support that the last mail to the buyer was about. Each end is mailed once.
  add column buyer_support_mailed timestamptz,
  -- Set when the buyer has unsubscribed. Another e-mail of the buyer empties the column.
  add column buyer_unsubscribed_at timestamptz;
