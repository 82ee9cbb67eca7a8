// The HTTP server of the rivals. The rivals are the ledgers that the wallet is compared with. The server is
// Fastify with the service's schemas and without authentication.
import { toJsonNumber } from '@counterfoil/kit/money';
import { updateBalanceSchema } from '@counterfoil/wallet-server/transactions/update-balance-schema';
import { parseAmount } from '@counterfoil/wallet-server/wire/amount';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { Static } from 'typebox';

export const currency = 'EUR';
const unit = { currency, decimals: 2 };

type UpdateBody = Static<typeof updateBalanceSchema.body>;

/** The movement that a request asks for. */
export interface Update {
  readonly playerId: string;
  readonly type: 'credit' | 'debit';
  readonly amount: bigint;
  readonly transactionId: string;
}

export interface Posted {
  readonly balance: bigint;
  readonly credit: bigint;
  readonly at: Date;
  readonly duplicate: boolean;
}

type Handler = (request: FastifyRequest<{ Body: UpdateBody }>, reply: FastifyReply) => unknown;

/** Starts the server, and sends `ready` to the parent process. */
export async function serveUpdates(handler: Handler): Promise<void> {
  const app = fastify({
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true } },
  });
  const options = { schema: updateBalanceSchema };
  app.post<{ Body: UpdateBody }>('/api/v1/user/update_balance', options, handler);
  process.once('SIGTERM', () => process.exit(0));
  process.once('disconnect', () => process.exit(0));
  await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
  process.send?.({ ready: true });
}

/** Creates a handler from a function that posts movements. */
export const answerBy =
  (post: (update: Update) => Promise<Posted>): Handler =>
  async ({ body, id }) => {
    const amount = parseAmount(body.amount, { unit });
    const { player_id: playerId, type, transaction_id: transactionId } = body;
    const posted = await post({ playerId, type, amount, transactionId });
    const before = type === 'credit' ? posted.balance - amount : posted.balance + amount;
    return {
      status: 'success',
      data: {
        player_id: playerId,
        transaction_id: transactionId,
        type,
        amount: toJsonNumber(amount, currency),
        balance_before: toJsonNumber(before, currency),
        balance: toJsonNumber(posted.balance, currency),
        currency,
        note: '',
        created_at: posted.at.toISOString(),
        duplicate: posted.duplicate,
      },
      package_balance: toJsonNumber(posted.credit, currency),
      credit_alert: null,
      request_id: id,
    };
  };
