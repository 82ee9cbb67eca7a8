-- no transaction
-- A buyer may replace the code of a purchase only a few times per month, so the latest replacements are counted.
create index concurrently if not exists retired_codes_by_purchase
  on retired_codes (workspace_id, purchase_id, retired_at);
