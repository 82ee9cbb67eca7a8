// No log line, error or table contains a key, a password or a full code in clear text.
import { dumpRows } from '@counterfoil/kit/testing/dump-rows';
import type { InjectOptions } from 'fastify';
import { expect, it } from 'vitest';
import { makeCodeHint } from '../../src/purchases/code.ts';
import { setUpLicensing } from '../environment/given.ts';
import { type Answer, givenSignedIn, openBrowser } from '../environment/panel-browser.ts';

const given = setUpLicensing({ AUTH_FAILURES_PER_MINUTE: '0' });

it('a secret is in no log line and no table, and only in the answers that must return it', async () => {
  const workspaceId = await given.workspace();
  const owner = await givenSignedIn(given, workspaceId);
  const itemId = await given.item(workspaceId);
  const { code } = await given.purchase(workspaceId, itemId);
  const imported = 'canary-imported-key-0123456789';
  const canaries = new Map([
    ['password', owner.person.password],
    ['session', owner.cookie.split('=')[1] ?? ''],
    ['code', code],
    ['imported key', imported],
    ['wrong code', 'canary-wrong-code-0123456789'],
    ['wrong key', 'canary-wrong-key-0123456789'],
  ]);
  const answers: Answer[] = [];
  const keys = `${owner.base}/api-keys`;

  const made = (await owner.post(keys, { name: 'Made' })).body.data;
  const published = await owner.post(keys, { name: 'Shipped', item_id: Number(itemId) });
  const rotated = (await owner.post(`${keys}/${made.api_key.id}/rotate`)).body.data;
  canaries.set('key', made.secret);
  canaries.set('publishable key', published.body.data.secret);
  canaries.set('rotated key', rotated.secret);
  const invitation = await owner.post(`${owner.base}/invitations`, {
    email: 'x@guest.example',
    role: 'member',
  });
  canaries.set('invitation', invitation.body.data.url.split('#token=')[1]);
  const { password } = owner.person;
  const revealed = await owner.post(`${keys}/${made.api_key.id}/reveal`, { password });
  expect(revealed.body.data.secret).toBe(made.secret);

  answers.push(
    await owner.post(`${keys}/import`, { name: 'Brought', api_key: imported }),
    await owner.post(`${keys}/import`, { name: 'Again', api_key: imported }),
    await owner.post(`${keys}/import`, { name: imported.repeat(9), api_key: made.secret }),
    await owner.post(`${keys}/${made.api_key.id}/reveal`, { password: `${password}x` }),
    await owner.post(`${keys}/${made.api_key.id}/reveal`, { password: [password] }),
    await owner.post(`${keys}/${made.api_key.id}/revoke`),
    await owner.get(keys),
    await owner.get(`${owner.base}/audit-log?limit=100`),
    await openBrowser(given).post('/panel/session', { email: owner.person.email, password: 'x' }),
    await openBrowser(given).post('/panel/session', { email: owner.person.email, password }),
  );
  answers.push(...(await misuse([...canaries.values()])));
  await expect
    .poll(async () => (await owner.get(`${owner.base}/requests`)).body.data.requests.length)
    .toBeGreaterThan(5);
  answers.push(await owner.get(`${owner.base}/requests?limit=100`));

  const places = {
    log: given.logLines.join('\n'),
    answers: answers.map((answer) => answer.text).join('\n'),
    database: await dumpRows(given.db),
  };
  expect(places.database).toContain('Shipped');
  for (const [place, text] of Object.entries(places)) {
    for (const [name, canary] of canaries) {
      expect(canary.length).toBeGreaterThan(15);
      expect(text.includes(canary), `${name} in ${place}`).toBe(false);
      const encoded = Buffer.from(canary).toString('base64').replace(/=+$/, '');
      expect(text.includes(encoded), `${name} in base64 in ${place}`).toBe(false);
    }
  }
});

/** Sends each secret in its proper field and in wrong fields. */
async function misuse(secrets: string[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  const send = async (request: InjectOptions) => {
    const answer = await given.app.inject(request);
    answers.push({ status: answer.statusCode, body: undefined, text: hideEcho(answer.body) });
  };
  for (const secret of secrets) {
    const url = encodeURIComponent(secret);
    const validation = '/api/purchases/validation';
    await send({ url: `/api/account/details?api_key=${url}` });
    await send({ url: '/api/account/details', headers: { authorization: `Bearer ${secret}` } });
    await send({ url: '/api/account/details', headers: { cookie: `x=${url}` } });
    await send({ url: `/api/items/item?item_id=${url}`, headers: { 'x-api-key': secret } });
    for (const key of secrets) {
      const payload = { api_key: key, purchase_code: secret };
      await send({ method: 'POST', url: validation, payload });
    }
    await send({ method: 'POST', url: validation, payload: `{"api_key": "${secret}", broken` });
    await send({
      method: 'POST',
      url: `/panel/session?api_key=${url}`,
      payload: { email: secret },
    });
    await send({ url: `/panel/workspaces/1?api_key=${url}` });
    await send({ url: `/api/account/details/${url}` });
    await send({ url: `/panel/workspaces/1/api-keys/${url}` });
  }
  return answers;
}

/**
 * Removes the field `purchase_code`, which is not a leak: the specification requires it in the answer to a
 * valid code.
 */
const hideEcho = (text: string) => text.replace(/"purchase_code":"[^"]*"/g, '');

it.each([
  ['0b0f3c1e-7c5d-4c0e-9d0e-3f5f6a7b8c9d', '…8c9d'],
  ['abcdefgh', '…efgh'],
  ['abcd', '…cd'],
  ['a', '…'],
])('the hint of the code %j is %j, never the full code', (code, hint) => {
  expect(makeCodeHint(code)).toBe(hint);
});
