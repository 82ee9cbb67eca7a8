-- Undoes a batch whose rows were not all written: an account that is not there must not pass in silence.
create function ledger_written(
  ok boolean, rows_written bigint, rows_wanted int, accounts_written bigint, accounts_wanted int
) returns boolean language plpgsql as $$
begin
  if ok and (rows_written <> rows_wanted or accounts_written <> accounts_wanted) then
    raise exception 'the ledger wrote % of % rows and % of % accounts',
      rows_written, rows_wanted, accounts_written, accounts_wanted;
  end if;
  return ok;
end
$$;
