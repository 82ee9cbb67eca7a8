-- Providers that count finer than the currency need more decimals. Null means the decimals of the currency.
alter table packages add column decimals smallint check (decimals between 0 and 8);
