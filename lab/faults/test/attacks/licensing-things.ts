// Creates a sale, a host, a machine and credentials of the update server in a workspace.
import type { Given } from '../../../../services/licensing/server/test/environment/given.ts';
import type { Things } from './target.ts';

let counter = 0;

/** Returns names for the objects of one workspace. No other workspace has objects with these names. */
export function makeNames() {
  const number = ++counter;
  return {
    external_id: `external-a${number}`,
    search: `Item a${number}`,
    version: `1.0.${number}`,
    buyer_name: `Buyer a${number}`,
    buyer_email: `buyer-a${number}@test.example`,
    idempotency_key: `sale-a${number}`,
    machine_id: `machine-a${number}`,
    host: `host-a${number}.example`,
    // The field of an item's media has the same name in every workspace.
    field: 'thumbnail',
  };
}

export interface UpdateSecrets {
  readonly licence: string;
  /** The token of a download link that was requested with the licence. */
  readonly downloadToken: string;
  /** The value of the header `Authorization` with which Composer sends the code. */
  readonly composer: string;
}

/** Gets a licence, and a download link with this licence. */
export async function makeUpdateSecrets(
  { app }: Given,
  of: { key: string; itemId: bigint; code: string; machine_id: string },
): Promise<UpdateSecrets> {
  const issued = await app.inject({
    method: 'POST',
    url: '/api/v1/licences',
    headers: { 'x-api-key': of.key },
    payload: { purchase_code: of.code, machine_id: of.machine_id },
  });
  const { licence } = issued.json().data;
  const headers = { 'x-purchase-code': licence };
  const feed = await app.inject({ url: `/updates/${of.itemId}.json`, headers });
  const [{ download_url: url }] = feed.json().data.versions;
  const composer = Buffer.from(`buyer:${of.code}`).toString('base64');
  return { licence, downloadToken: String(url).replace(/.*\//, ''), composer };
}

/** Creates a sale, a host and a licensed machine with these names, and returns the names. */
export async function makeNamed(
  given: Given,
  names: ReturnType<typeof makeNames>,
  of: { id: bigint; key: string; itemId: bigint; code: string },
): Promise<Things> {
  const send = async (
    method: 'POST' | 'PUT',
    url: string,
    payload: object,
    further: Record<string, string> = {},
  ) => {
    const headers = { 'x-api-key': of.key, ...further };
    const answer = await given.app.inject({ method, url, headers, payload });
    if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.body}`);
  };
  await send('PUT', '/api/v1/activation-limits', { regular: 100 });
  const sale = { item_id: Number(of.itemId), price: 1, currency: 'USD', license_type: 'Regular' };
  await send('POST', '/api/v1/purchases', sale, { 'idempotency-key': names.idempotency_key });
  const { machine_id, host: domain } = names;
  await send('POST', '/api/v1/activations', { purchase_code: of.code, domain });
  await send('POST', '/api/v1/activations', { purchase_code: of.code, machine_id });
  await send('POST', '/api/v1/licences', { purchase_code: of.code, machine_id });
  return { ...names, event_id: `evt_${of.id}_1` };
}
