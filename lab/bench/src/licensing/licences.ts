// Writes the requests for offline licences that a load generator sends, and activates their hosts.
import { parseMasterKey } from '@counterfoil/kit/crypto/secrets';
import { openDb } from '@counterfoil/kit/postgres/db';
import { insertApiKey } from '@counterfoil/licensing-server/api-keys/insert-api-key';
import type { LoadRequest } from '../load.ts';
import { type Dataset, masterKeyText } from './dataset.ts';

const hostCount = 4_000;
const concurrency = 32;

/**
 * One request for a licence of each of 4,000 purchases. The requests use a new API key. If an earlier run has
 * activated the hosts, this function moves their `last_seen_at` back by two hours. So `activateForLicences`
 * writes all of them again, and no request of the measurement writes.
 */
export async function issueLicences(
  databaseUrl: string,
  { workspaceId, codes }: Dataset,
): Promise<LoadRequest[]> {
  const db = openDb({ url: databaseUrl, applicationName: 'bench stock' });
  try {
    const scopes = ['purchases:validate', 'activations:write'] as const;
    const { secret } = await db.transaction((tx) =>
      insertApiKey(tx, parseMasterKey(masterKeyText), {
        workspaceId,
        name: 'Bench licences',
        kind: 'secret',
        scopes,
      }),
    );
    await db.query(
      `update activations set last_seen_at = last_seen_at - interval '2 hours' where workspace_id = $1`,
      [workspaceId],
    );
    return codes.slice(0, hostCount).map((code, n) => ({
      method: 'POST',
      path: '/api/v1/licences',
      headers: { 'content-type': 'application/json', 'x-api-key': secret },
      body: JSON.stringify({ purchase_code: code, machine_id: `machine-${n}` }),
    }));
  } finally {
    await db.end();
  }
}

/**
 * Sends each request once. The first licence of a host writes its activation, and so does the first licence
 * after an hour. The measurement is about the licences in between, which write nothing.
 */
export async function activateForLicences(url: string, requests: readonly LoadRequest[]): Promise<void> {
  for (let from = 0; from < requests.length; from += concurrency) {
    const answers = requests.slice(from, from + concurrency).map(async ({ path, method, headers, body }) => {
      const answer = await fetch(`${url}${path}`, { method, headers, body: body ?? null });
      if (!answer.ok) throw new Error(`a licence was refused: ${await answer.text()}`);
    });
    await Promise.all(answers);
  }
}
