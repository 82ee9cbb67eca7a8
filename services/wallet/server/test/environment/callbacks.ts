// Sends callbacks as a provider does, and reads their effects.
import type { Given, GivenPackage } from './given.ts';

interface Answered {
  readonly status: number;
  readonly body: ReturnType<typeof JSON.parse>;
  readonly headers: Record<string, unknown>;
}

export const callbackHeaders = (of: GivenPackage): Record<string, string> => ({
  'content-type': 'application/json',
  'x-uid': of.uid,
  'x-api-key': of.callback.apiKey,
  'x-api-secret': of.callback.apiSecret,
});

export interface Provider {
  send(body: unknown, headers?: Record<string, string>): Promise<Answered>;
  balance(playerId: string): Promise<number>;
  /** All rows of the package that must stay the same when a callback is refused. */
  books(): Promise<unknown>;
}

export function createProvider(given: Given, of: GivenPackage): Provider {
  return {
    send: async (body, headers = {}) => {
      const answer = await given.app.inject({
        method: 'POST',
        url: '/api/v1/game/callback',
        headers: { ...callbackHeaders(of), ...headers },
        payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      });
      const isJson = String(answer.headers['content-type']).startsWith('application/json');
      return {
        status: answer.statusCode,
        body: isJson ? answer.json() : answer.body,
        headers: answer.headers,
      };
    },
    balance: async (playerId) => {
      const url = `/api/v1/user/balance?player_id=${encodeURIComponent(playerId)}`;
      const answer = await given.app.inject({ url, headers: of.headers });
      return answer.json().data.balance;
    },
    books: async () => {
      const queries = ['ledger_heads', 'accounts', 'journal', 'bet_states', 'rounds', 'players'].map(
        (table) => given.db.query(`select * from ${table} where package_id = $1 order by 1, 2`, [of.id]),
      );
      return (await Promise.all(queries)).map(({ rows }) => rows);
    },
  };
}
