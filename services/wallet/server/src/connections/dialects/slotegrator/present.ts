// Writes the answers of the Slotegrator protocol. Balances are JSON numbers with all decimals of the package.
import { quoteText } from '@counterfoil/kit/http/read-json';
import { formatDecimal } from '../amounts.ts';
import type { CallResult, EarlyFailure, ProviderResponse, Terms } from '../dialect.ts';
import { earlyFailures, writeError, writeFailure } from './errors.ts';
import type { SlotegratorContext } from './parse.ts';

export function present(
  result: CallResult,
  { rolledBack }: SlotegratorContext,
  { decimals }: Terms,
): ProviderResponse {
  if (result.kind === 'failed') return writeFailure(result.code, result.field);
  if (result.kind === 'balance') {
    return { status: 200, body: `{"balance":${formatDecimal(result.balances.cash, decimals)}}` };
  }
  const first = result.kind === 'played' ? result.legs[0] : undefined;
  if (result.kind !== 'played' || !first) return writeFailure('internal_error');
  const balance = formatDecimal(result.balances.cash, decimals);
  // The answer to a rollback lists the ids of all its transactions. If one of them were missing, the provider
  // would treat the rollback as failed.
  const listed = rolledBack ? `,"rollback_transactions":[${rolledBack.map(quoteText).join(',')}]` : '';
  return { status: 200, body: `{"balance":${balance},"transaction_id":${quoteText(first.id)}${listed}}` };
}

export const presentEarly = (failure: EarlyFailure): ProviderResponse => writeError(earlyFailures[failure]);
