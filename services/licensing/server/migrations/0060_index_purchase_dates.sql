-- The panel's first page asks for the sales of a month and for support that runs out.

create index purchases_by_date on purchases (workspace_id, purchased_at);
create index purchases_by_support_end on purchases (workspace_id, supported_until)
  where supported_until is not null and state = 'active';
