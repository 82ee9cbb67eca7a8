-- A buyer's purchases, newest first: without the order in the index, a large list was read from its new end instead.
create index purchases_by_buyer_email on purchases (workspace_id, lower(buyer_email), id);
drop index purchases_by_buyer;
