// Clients of the management API in tests: with the secret key of a workspace, or with a panel session.
import { createPersonWithPassword } from '@counterfoil/identity/members/people';
import { cheapHasher } from '@counterfoil/identity/testing/cheap-hasher';
import type { InjectOptions } from 'fastify';
import { readScopes, writeScopes } from '../../src/authentication/api-key.ts';
import type { Given } from './given.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of an answer.
  readonly body: any;
  readonly text: string;
  readonly headers: Record<string, string | string[] | number | undefined>;
}

export interface TestClient {
  readonly name: 'key' | 'panel';
  /** `path`, for example `/items`, is relative to the prefix of the API. */
  send(method: Method, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

const password = 'correct horse battery';
let people = 0;

async function send(given: Given, options: InjectOptions): Promise<Answer> {
  const response = await given.app.inject(options);
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  return {
    status: response.statusCode,
    body: isJson ? response.json() : undefined,
    text: response.body,
    headers: response.headers,
  };
}

const payloadOf = (body: unknown) =>
  body === undefined ? {} : { payload: Buffer.isBuffer(body) ? body : (body as object) };

export function keyClient(given: Given, apiKey: string): TestClient {
  return {
    name: 'key',
    send: (method, path, body, headers = {}) =>
      send(given, {
        method,
        url: `/api/v1${path}`,
        headers: { 'x-api-key': apiKey, ...headers },
        ...payloadOf(body),
      }),
  };
}

/** Returns a client for a signed-in owner of the workspace. */
async function panelClient(given: Given, workspaceId: bigint): Promise<TestClient> {
  const email = `client${++people}@test.example`;
  await given.db.transaction((tx) =>
    createPersonWithPassword(tx, {
      email,
      name: 'Ada Byron',
      password,
      memberships: [{ tenantId: workspaceId, role: 'owner' }],
      at: given.clock.now,
      passwords: cheapHasher,
    }),
  );
  const session = await given.app.inject({
    method: 'POST',
    url: '/panel/session',
    payload: { email, password },
  });
  const cookie = String(session.headers['set-cookie']).split(';')[0] ?? '';
  return {
    name: 'panel',
    send: (method, path, body, headers = {}) =>
      send(given, {
        method,
        url: `/panel/workspaces/${workspaceId}${path}`,
        headers: {
          cookie,
          ...(method !== 'GET' && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...payloadOf(body ?? (method === 'POST' ? {} : undefined)),
      }),
  };
}

export async function bothClients(given: Given, workspaceId: bigint): Promise<TestClient[]> {
  const apiKey = await given.apiKey(workspaceId, { scopes: [...readScopes, ...writeScopes] });
  return [keyClient(given, apiKey), await panelClient(given, workspaceId)];
}

/** The text of an answer without its request id. */
export const withoutRequestId = (answer: Answer) => answer.text.replace(/"request_id":"[^"]*"/, '');

export async function auditActions(given: Given, workspaceId: bigint): Promise<string[]> {
  const { rows } = await given.db.query<{ action: string }>(
    `select action from audit_log where workspace_id = $1 and subject_kind <> 'person' order by id`,
    [workspaceId],
  );
  return rows.map((row) => row.action);
}
