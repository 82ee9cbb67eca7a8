-- Owners get a mail about support that ends soon: the end that the mail was written for, so each end is
-- mentioned once.
alter table purchases add column support_mailed timestamptz;
