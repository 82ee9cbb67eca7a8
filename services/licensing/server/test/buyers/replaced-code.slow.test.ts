// A code that a buyer replaces is refused by every process, whichever process the buyer uses.
import { randomBytes } from 'node:crypto';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { portal } from '../environment/buyer-browser.ts';
import { type Given, givenLicensing } from '../environment/given.ts';
import { type ServiceProcess, startService } from '../environment/service-processes.ts';

const masterKey = randomBytes(32).toString('base64');
const buyerEmail = 'ada@processes.example';
let given: Given;
let services: ServiceProcess[] = [];
let workspaceId: bigint;
let itemId: bigint;
let key: string;

beforeAll(async () => {
  given = await givenLicensing({ MASTER_KEY: masterKey });
  // The processes use the clock of the machine.
  given.clock.now = new Date();
  services = await Promise.all([startService(given, masterKey), startService(given, masterKey)]);
  workspaceId = await given.workspace();
  itemId = await given.item(workspaceId);
  key = await given.apiKey(workspaceId);
});
afterAll(async () => {
  for (const service of services) await service.stop();
  await given?.close();
});

async function ask(url: string, headers: Record<string, string>, body?: object) {
  const answer = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const json = (await answer.json()) as { status: string; code?: string; data: Record<string, unknown> };
  return { status: answer.status, body: json, cookie: answer.headers.get('set-cookie') ?? '' };
}

/** The answers of a process to the code: as a validation, and at the update server. */
async function tryCode({ origin }: ServiceProcess, purchase_code: string) {
  const validated = await ask(`${origin}/api/purchases/validation`, { 'x-api-key': key }, { purchase_code });
  const updates = await ask(`${origin}/updates/${itemId}.json`, { 'x-purchase-code': purchase_code });
  return [validated, updates].map(({ status, body }) => (status === 200 ? 'valid' : body.code));
}

const everywhere = (code: string) => Promise.all(services.map((service) => tryCode(service, code)));
const all = (outcome: string) => services.map(() => [outcome, outcome]);

/** Signs in with the code, replaces it at this process, and returns the new code. */
async function replace(
  { origin }: ServiceProcess,
  purchaseId: bigint,
  purchase_code: string,
): Promise<string> {
  const signedIn = await ask(`${origin}${portal}/session`, { origin }, { email: buyerEmail, purchase_code });
  expect(signedIn.status).toBe(200);
  const headers = { origin, cookie: signedIn.cookie.split(';')[0] ?? '' };
  const url = `${origin}${portal}/sellers/${workspaceId}/purchases/${purchaseId}/reissue`;
  const { status, body } = await ask(url, headers, {});
  expect(status).toBe(200);
  return (body.data.purchase as { purchase_code: string }).purchase_code;
}

it.each([0, 1])('both processes refuse a code that was replaced at process %i', async (at) => {
  expect(new Set(services.map(({ pid }) => pid)).size).toBe(2);
  const { id, code } = await given.purchase(workspaceId, itemId, { buyerEmail });
  // Every process has answered the code before it is replaced, so that a cache would contain it.
  expect(await everywhere(code)).toEqual(all('valid'));
  const fresh = await replace(services[at] as ServiceProcess, id, code);
  await eventually(async () => expect(await everywhere(code)).toEqual(all('purchase_not_found')));
  expect(await everywhere(fresh)).toEqual(all('valid'));
  // The refusal is final.
  expect(await everywhere(code)).toEqual(all('purchase_not_found'));
});

it('while both processes validate a code, neither accepts it again after its first refusal', async () => {
  const { id, code } = await given.purchase(workspaceId, itemId, { buyerEmail });
  const watch = async (service: ServiceProcess) => {
    const seen: (string | undefined)[] = [];
    while (seen.at(-1) !== 'purchase_not_found') seen.push((await tryCode(service, code))[0]);
    for (let i = 0; i < 20; i++) seen.push((await tryCode(service, code))[0]);
    return seen;
  };
  const watching = Promise.all(services.map(watch));
  await replace(services[0] as ServiceProcess, id, code);
  for (const seen of await watching) {
    const refused = seen.indexOf('purchase_not_found');
    expect(new Set(seen.slice(refused))).toEqual(new Set(['purchase_not_found']));
  }
});
