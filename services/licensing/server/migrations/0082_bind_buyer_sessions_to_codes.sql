-- A session that was opened with a purchase code ends when the purchase gets a new code.

alter table buyer_tokens add column code_hash bytea check (length(code_hash) = 32);
