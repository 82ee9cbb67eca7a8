-- How many months of support a new sale has where its seller names no end.

alter table workspaces
  -- Workspaces that exist sold without an end so far, and go on to until their owner says otherwise.
  add column support_months smallint not null default 0 check (support_months between 0 and 120);
alter table workspaces alter column support_months set default 6;
