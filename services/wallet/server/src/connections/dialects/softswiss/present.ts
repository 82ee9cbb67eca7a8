// Presents results as answers of the SoftSwiss wallet protocol.
import { quoteText } from '@counterfoil/kit/http/read-json';
import { formatDecimal } from '../amounts.ts';
import type { CallResult, PlayedLeg, ProviderResponse, Terms } from '../dialect.ts';
import { failures, internalError, writeError, writeValidationError } from './errors.ts';
import type { SoftswissContext } from './parse.ts';

type Failed = Extract<CallResult, { kind: 'failed' }>;
type Played = Extract<CallResult, { kind: 'played' }>;

const ok = (body: string): ProviderResponse => ({ status: 200, body });

export function presentResult(
  result: CallResult,
  context: SoftswissContext,
  { decimals }: Terms,
): ProviderResponse {
  switch (result.kind) {
    case 'failed':
      return presentFailure(result, context, decimals);
    case 'balance':
      return ok(`{"balance":"${formatDecimal(result.balances.cash, decimals)}"}`);
    case 'played':
      return presentPlay(result, context, decimals);
    default:
      return writeError(internalError);
  }
}

function presentPlay(
  { legs, roundId, balances }: Played,
  { endpoint, ids }: SoftswissContext,
  decimals: number,
): ProviderResponse {
  const balance = formatDecimal(balances.cash, decimals);
  if (endpoint === 'finish') return ok(`{"balance":"${balance}"}`);
  const isRollback = endpoint === 'rollback';
  const transactions: string[] = [];
  for (const [index, id] of ids.entries()) {
    const leg = legs[index];
    if (!leg) return writeError(internalError);
    const own = isRollback ? presentRollbackId(leg) : quoteText(leg.id);
    // The protocol requires the bonus amount in the answer to every bet and win. The wallet has no bonus
    // money, so the amount is always zero.
    const bonus = isRollback ? '' : ',"bonus_amount":"0.00"';
    transactions.push(`{"id_provider":${quoteText(id)},"id":${own}${bonus}}`);
  }
  return ok(
    `{"round_id":${quoteText(roundId ?? '')},"balance":"${balance}","transactions":[${transactions.join()}]}`,
  );
}

/** The id in the answer to a rollback; empty if the original transaction was not processed. */
const presentRollbackId = ({ id, result }: PlayedLeg): string =>
  result === 'tombstoned' || result === 'nothing_to_roll_back' ? '""' : quoteText(id);

function presentFailure(failed: Failed, context: SoftswissContext, decimals: number): ProviderResponse {
  const { code, balances } = failed;
  const error = failures[code];
  if (code === 'transaction_conflict') {
    return writeValidationError(`${nameField(failed, context)}: ${error.message}`);
  }
  if (code === 'not_a_bet') return writeValidationError(`transactions[${failed.leg ?? 0}].${error.message}`);
  return writeError(error, balances && formatDecimal(balances.cash, decimals));
}

/** The protocol's name of a field in which a repeat differs from the first request. */
function nameField({ field, leg = 0 }: Failed, { endpoint }: SoftswissContext): string {
  switch (field) {
    case 'player_id':
      return 'account_id';
    case 'game_id':
      return 'game_id';
    case 'round_id':
      return endpoint === 'rollback' ? 'round_id_provider' : 'round_id';
    case 'amount':
      return `transactions[${leg}].amount`;
    case 'action':
      return `transactions[${leg}].type`;
    case 'reference_transaction_id':
      return `transactions[${leg}].original_id_provider`;
    default:
      return `transactions[${leg}]`;
  }
}
