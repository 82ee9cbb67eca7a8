// The rivals' ledger as one PL/pgSQL function. It decides credits and debits, and writes the rows and hashes.

/**
 * A hash of 16 zero bytes. Rows of credits and debits lack some hashes. The hash chain contains these bytes
 * instead of the missing hashes.
 */
const noHash = "'\\x00000000000000000000000000000000'::bytea";

/**
 * Writes rows with the columns and hashes of the service, so that the service can verify them. Locks the
 * package's head for the whole batch, and updates the head and the credit once per batch.
 */
export const postFunction = `
create function rivals.post(
  the_package int, overdraft bigint, account_ids bigint[], kinds smallint[], amounts bigint[],
  ids uuid[], texts text[]
) returns table (place int, balance bigint, credit bigint, at timestamptz, duplicate boolean)
language plpgsql set search_path = rivals as $$
declare
  head_sequence bigint; head_hash bytea; credit_balance bigint; credit_sequence bigint;
  known uuid[]; player accounts; outcome smallint; moved bigint; was_credit boolean;
  debit_after bigint; credit_after bigint;
begin
  select h.sequence, h.hash into strict head_sequence, head_hash
    from ledger_heads h where h.package_id = the_package for update;
  select a.balance, a.last_sequence into strict credit_balance, credit_sequence
    from accounts a where a.package_id = the_package and a.id = 1;
  known := array(select j.id_hash from journal j
    where j.package_id = the_package and j.id_hash = any (ids));
  at := date_trunc('milliseconds', clock_timestamp());
  for i in 1 .. cardinality(ids) loop
    place := i;
    was_credit := kinds[i] = 1;
    if ids[i] = any (known) then
      select case when was_credit then j.credit_balance else j.debit_balance end, j.created_at
        into balance, at from journal j where j.package_id = the_package and j.id_hash = ids[i];
      credit := credit_balance;
      duplicate := true;
      return next;
      continue;
    end if;
    select * into strict player
      from accounts a where a.package_id = the_package and a.id = account_ids[i];
    outcome := case
      when was_credit and credit_balance - amounts[i] < -overdraft then 9
      when was_credit and player.balance + amounts[i] >= 1000000000000000 then 10
      when not was_credit and player.balance < amounts[i] then 8
      when not was_credit and credit_balance + amounts[i] >= 1000000000000000 then 10
      else 0 end;
    moved := case when outcome > 0 then 0 when was_credit then amounts[i] else -amounts[i] end;
    head_sequence := head_sequence + 1;
    balance := player.balance + moved;
    credit_balance := credit_balance - moved;
    if outcome = 0 then credit_sequence := head_sequence; end if;
    debit_after := case when was_credit then credit_balance else balance end;
    credit_after := case when was_credit then balance else credit_balance end;
    head_hash := sha256(head_hash || int4send(the_package) || int2send(kinds[i])
      || int2send(outcome) || int8send(head_sequence) || int8send(player.last_sequence)
      || int8send(case when was_credit then 1 else account_ids[i] end)
      || int8send(case when was_credit then account_ids[i] else 1 end)
      || int8send(amounts[i]) || int8send(debit_after) || int8send(credit_after)
      || int8send((extract(epoch from at) * 1000)::bigint) || int8send(-1) || int8send(0)
      || uuid_send(ids[i]) || ${noHash} || ${noHash} || ${noHash}
      || int2send(octet_length(texts[i])::smallint) || convert_to(texts[i], 'UTF8')
      || int2send(0::smallint));
    update accounts a set balance = post.balance, last_sequence = head_sequence, updated_at = at
      where a.package_id = the_package and a.id = account_ids[i];
    insert into journal (package_id, sequence, previous_sequence, debit_account, credit_account,
        amount, debit_balance, credit_balance, created_at, kind, result, id_hash, hash,
        transaction_id)
      values (the_package, head_sequence, player.last_sequence,
        case when was_credit then 1 else account_ids[i] end,
        case when was_credit then account_ids[i] else 1 end,
        amounts[i], debit_after, credit_after, at, kinds[i], outcome, ids[i], head_hash, texts[i]);
    credit := credit_balance;
    duplicate := false;
    return next;
  end loop;
  update ledger_heads h set sequence = head_sequence, hash = head_hash
    where h.package_id = the_package;
  update accounts a set balance = credit_balance, last_sequence = credit_sequence, updated_at = now()
    where a.package_id = the_package and a.id = 1;
end
$$`;
