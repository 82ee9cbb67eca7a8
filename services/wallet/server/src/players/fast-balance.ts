// user/balance at the quick door: plain requests whose package is in memory.

import type { QuickRead, QuickReply } from '@counterfoil/kit/http/transport/fast-path';
import { toJsonNumber } from '@counterfoil/kit/money';
import { defaultMs } from '../deadlines.ts';
import { fail } from '../errors.ts';
import type { AuthenticateFromCache } from '../packages/callers/authenticate-from-cache.ts';
import { writeCredit } from '../packages/credit-alert.ts';
import type { CustomerPackage } from '../packages/customer-package.ts';
import type { GetBalance } from './get-balance.ts';
import type { FoundBalance } from './store.ts';

export interface QuickBalanceDeps {
  readonly recognise: AuthenticateFromCache;
  readonly getBalance: GetBalance;
  readonly presentCreditNow: (
    given: CustomerPackage,
    error: unknown,
  ) => Promise<Record<string, unknown>>;
}

const purposes = ['caller'] as const;

/** One parameter whose value means what it says: nothing escaped, nothing that JSON would escape. */
const plainQuery = /^player_id=([\w.~:-]{1,64})$/;

export const quickBalance = (deps: QuickBalanceDeps): QuickRead => ({
  path: '/api/v1/user/balance',
  admit: (raw, query) => {
    const playerId = plainQuery.exec(query)?.[1];
    if (playerId === undefined) return undefined;
    const owner = deps.recognise(raw.headers, purposes);
    return owner && ((reply) => tell(deps, { owner, playerId, reply }));
  },
});

interface Call {
  readonly owner: CustomerPackage;
  readonly playerId: string;
  readonly reply: QuickReply;
}

function tell(deps: QuickBalanceDeps, call: Call): void {
  const { owner, playerId, reply } = call;
  reply.answerBy(defaultMs, () => fail('unavailable'));
  deps.getBalance(owner.id, playerId).then(
    (found) => reply.send(writeAnswer(call, found)),
    async (error: unknown) => {
      reply.fail(error, await deps.presentCreditNow(owner, error));
    },
  );
}

/** Byte for byte what the route's schema makes of the same; a test holds the two together. */
function writeAnswer({ owner, reply }: Call, { player, credit }: FoundBalance): string {
  const { currency } = owner;
  return (
    `{"status":"success","data":{"player_id":"${player.playerId}",` +
    `"balance":${toJsonNumber(player.balance, currency)},"currency":"${currency}",` +
    `"status":"${player.status}","updated_at":"${player.updatedAt.toISOString()}"},` +
    `${writeCredit(owner, credit)},"request_id":"${reply.requestId}"}`
  );
}
