// Provider connections of a test, and their calls over real HTTP.
import type { AddressInfo } from 'node:net';
import { parseMasterKey } from '@counterfoil/kit/crypto/secrets';
import { operator } from '../../src/audit/audit-event.ts';
import { createConnection, type NewConnection } from '../../src/connections/change-connections.ts';
import type { ProviderRequest, Secrets } from '../../src/connections/dialects/dialect.ts';
import { dialects } from '../../src/connections/dialects/dialects.ts';
import type { Given, GivenPackage } from './given.ts';

export interface GivenConnection {
  readonly id: string;
  readonly secrets: Secrets;
  /** Sends a request to the connection. The fast path answers if the connection is cached. */
  send(request: ProviderRequest): Promise<{ status: number; body: unknown; text: string; headers: Headers }>;
}

export async function giveConnection(
  given: Given,
  owner: GivenPackage,
  wanted: Pick<NewConnection, 'dialect'> & Partial<NewConnection>,
  /** The address of the service that gets the calls. By default, this is the service of the test. */
  service?: string,
): Promise<GivenConnection> {
  const masterKey = parseMasterKey(given.masterKeyText);
  const target = { packageId: owner.id, actor: operator, at: given.clock.now };
  const { connection, secrets } = await given.db.transaction((tx) =>
    createConnection(
      tx,
      { masterKey, dialects },
      {
        name: 'Test provider',
        profile: '',
        gamePrefix: '',
        currencies: {},
        upstreamUrl: undefined,
        secrets: {},
        ...wanted,
        ...target,
      },
    ),
  );
  const origin = service ?? (await listen(given));
  const send = async ({ method, path, query, headers, body }: ProviderRequest) => {
    const url = `${origin}/providers/${connection.id}${path}${query && `?${query}`}`;
    const sent = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]);
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const answer = await fetch(url, {
      method,
      headers: sent,
      ...(hasBody && { body: new Uint8Array(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      text,
      body: text === '' ? undefined : JSON.parse(text),
      headers: answer.headers,
    };
  };
  return { id: connection.id, secrets, send };
}

async function listen({ app }: Given): Promise<string> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}
