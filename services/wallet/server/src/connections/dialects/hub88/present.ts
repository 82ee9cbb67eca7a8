// Writes the answers of the Hub88 protocol: `{user, status, request_uuid, currency, balance}`.
import { quoteText } from '@counterfoil/kit/http/read-json';
import { toUnits } from '../amounts.ts';
import type { CallResult, ProviderResponse, Terms } from '../dialect.ts';
import { findStatus, type Status } from './errors.ts';

/** Amounts are whole hundred-thousandths, so they have 5 decimals. */
export const unitDecimals = 5;

/** The fields of a request that every answer repeats. A field that could not be read is absent. */
export interface Echo {
  readonly user?: string | undefined;
  readonly requestUuid?: string | undefined;
}

/** The parts of a valid request that its answer repeats. */
export interface Hub88Context extends Echo {
  /** The provider's code of the currency. */
  readonly currency: string;
}

export function presentResult(result: CallResult, given: Hub88Context, terms: Terms): ProviderResponse {
  const { playerId } = result;
  const context = playerId === undefined ? given : { ...given, user: playerId };
  switch (result.kind) {
    case 'played':
    case 'balance':
      return writeAnswer('RS_OK', context, writeMoney(result.balances.cash, context, terms));
    case 'session':
      return { status: 200, body: `{"token":${quoteText(result.session.token)}}` };
    case 'failed': {
      const { code, balances } = result;
      const status = findStatus(code, terms.profile);
      return writeAnswer(status, context, balances && writeMoney(balances.cash, context, terms));
    }
    default:
      return writeAnswer('RS_ERROR_UNKNOWN', context);
  }
}

const writeMoney = (cash: bigint, { currency }: Hub88Context, { decimals }: Terms): string =>
  `,"currency":${quoteText(currency)},"balance":${toUnits(cash, unitDecimals, decimals)}`;

/** Writes an answer. `money` is the JSON text of `writeMoney`, or empty for an answer without a balance. */
export function writeAnswer(status: Status, { user, requestUuid }: Echo, money = ''): ProviderResponse {
  const who = user === undefined ? '' : `"user":${quoteText(user)},`;
  const which = requestUuid === undefined ? '' : `,"request_uuid":${quoteText(requestUuid)}`;
  return { status: 200, body: `{${who}"status":"${status}"${which}${money}}` };
}

/** The provider's code of the package's currency. */
export function findProviderCode({ currencies, currency }: Terms): string {
  for (const code of Object.keys(currencies)) if (currencies[code] === currency) return code;
  return currency;
}
