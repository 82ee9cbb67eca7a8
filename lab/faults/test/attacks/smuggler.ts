// Opens a wallet service and sends it requests that hide a second request.
import { getOperation } from './operations.ts';
import { lines, type RawAnswer, sendRaw } from './raw.ts';
import { listSmuggling } from './smuggled-requests.ts';
import type { Target } from './target.ts';
import { openWalletTarget } from './wallet-target.ts';

export const smuggledTitles = listSmuggling(['x'], 'y').map(([title]) => title);

export interface Smuggler {
  readonly target: Target;
  /** A complete request that creates a player. */
  createPlayer(playerId: string): Buffer;
  /** Sends the request with this title. The request hides a second request, which creates a player. */
  smuggle(port: number, title: string, playerId: string): Promise<RawAnswer>;
  isPlayer(playerId: string): Promise<boolean>;
}

export async function openSmuggler(): Promise<Smuggler> {
  const target = await openWalletTarget();
  const create = getOperation(target.document, 'POST /api/v1/user/create');
  const headers = Object.entries(target.headersFor(create, 'own'));
  const headerLines = headers.map(([name, value]) => `${name}: ${value}`);
  const type = 'Content-Type: application/json';
  const createPlayer = (playerId: string) => {
    const body = JSON.stringify({ player_id: playerId });
    const first = 'POST /api/v1/user/create HTTP/1.1';
    const length = `Content-Length: ${body.length}`;
    return `${lines(first, 'Host: x', 'Connection: close', ...headerLines, type, length)}\r\n\r\n${body}`;
  };
  const carrier = ['POST /api/v1/game/session/end HTTP/1.1', 'Host: x', ...headerLines, type];
  return {
    target,
    createPlayer: (playerId) => Buffer.from(createPlayer(playerId)),
    smuggle: async (port, title, playerId) => {
      const request = new Map(listSmuggling(carrier, createPlayer(playerId))).get(title) ?? '';
      return await sendRaw(port, Buffer.from(request, 'latin1'));
    },
    isPlayer: async (playerId) => {
      const query = 'select 1 from players where player_id = $1';
      return (await target.db.query(query, [playerId])).rows.length > 0;
    },
  };
}
