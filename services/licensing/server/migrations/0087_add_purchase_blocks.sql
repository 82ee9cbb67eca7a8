-- A seller can block a purchase whose code is abused, and unblock the purchase later. The state of the
-- purchase stays: a refund or a dispute goes on while the purchase is blocked.
alter table purchases add column blocked_at timestamptz;
