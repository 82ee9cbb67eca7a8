// Creates a sale, a host and a machine with given names in a workspace.
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
  };
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
