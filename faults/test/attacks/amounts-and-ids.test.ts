// Every path that takes an amount or an id, under the values that have cost others money.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillMarks } from './arbitraries.ts';
import { createFingerprint, listChanges } from './fingerprint.ts';
import { openLicensingTarget } from './licensing-target.ts';
import { listOperations, type Operation } from './operations.ts';
import { openSender, type Sender } from './send.ts';
import { isWhole } from './sizes.ts';
import type { Target } from './target.ts';
import { openWalletTarget } from './wallet-target.ts';

/** As they stand in the body: JSON itself, for a number's text would be gone once it is read. */
const wrongAmounts = [
  '-1',
  '-0.01',
  '0.001',
  '1.005',
  '1e21',
  '1e400',
  '1e-7',
  '9007199254740993',
  '99999999999999999999',
  '10000000000000000',
  '9999999999999.999',
  '"-1"',
  '"+1"',
  '"1e2"',
  '"0x10"',
  '"1,00"',
  '"1.000"',
  '" 1"',
  '"1 "',
  '""',
  '"."',
  '".5"',
  '"5."',
  '"NaN"',
  '"Infinity"',
  '"１"',
  '"1_000"',
  '"1\\u0000"',
  'true',
  '[1]',
  '["1"]',
  '{"amount":1}',
];

const walletBodies: [title: string, body: string][] = [
  [
    'POST /api/v1/user/update_balance',
    '{"player_id":"@@player_id.own@@","type":"credit","transaction_id":"NEW","amount":AMOUNT}',
  ],
  [
    'POST /api/v1/game/callback',
    '{"action":"bet","player_id":"@@player_id.own@@","transaction_id":"NEW","round_id":"r","amount":AMOUNT}',
  ],
  [
    'POST /api/v1/game/callback',
    '{"action":"win","player_id":"@@player_id.own@@","transaction_id":"NEW","round_id":"r","amount":AMOUNT}',
  ],
  [
    'POST /api/v1/game/callback',
    '{"action":"bet_win","player_id":"@@player_id.own@@","transaction_id":"NEW","round_id":"r","bet_amount":1,"win_amount":AMOUNT}',
  ],
  [
    'POST /api/v1/game/callback',
    '{"action":"bet_win","player_id":"@@player_id.own@@","transaction_id":"NEW","round_id":"r","bet_amount":AMOUNT,"win_amount":1}',
  ],
  ['POST /admin/v1/packages/{package_id}/top-ups', '{"transaction_id":"NEW","amount":AMOUNT}'],
  [
    'POST /panel/packages/{package_id}/player/adjust',
    '{"player_id":"@@player_id.own@@","type":"credit","transaction_id":"NEW","note":"n","amount":AMOUNT}',
  ],
  ['PATCH /admin/v1/packages/{package_id}', '{"alert_threshold":AMOUNT}'],
  ['PATCH /admin/v1/packages/{package_id}', '{"overdraft_limit":AMOUNT}'],
];

const licensingBodies: [title: string, body: string][] = [
  ['PUT /api/v1/account/balance', '{"balance":AMOUNT}'],
  ['POST /api/v1/purchases', '{"item_id":@@item_id.own#@@,"price":AMOUNT,"currency":"USD"}'],
  ['PATCH /api/v1/items/{item_id}', '{"price":{"regular":AMOUNT,"extended":1}}'],
  ['POST /api/v1/items', '{"name":"n","kind":"image","price":{"regular":1,"extended":AMOUNT}}'],
];

let counter = 0;

const wrongIds = [
  '""',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '"\\u0007"',
  '"a\\nb"',
  '"\\u2028"',
  '"\\u0085"',
  `"${'a'.repeat(129)}"`,
  `"${'😀'.repeat(129)}"`,
  '1',
  '1.5',
  'true',
  '["a"]',
  '{"a":"b"}',
];

describe.each([
  ['licensing', openLicensingTarget, licensingBodies],
  ['wallet', openWalletTarget, walletBodies],
] as const)('%s', (_name, open, bodies) => {
  let target: Target;
  let sender: Sender;
  let operations: Operation[];
  let fingerprint: () => Promise<Map<string, string>>;
  beforeAll(async () => {
    target = await open();
    sender = openSender(target.port);
    operations = listOperations(target.document);
    fingerprint = await createFingerprint(target.db, target.notes);
  });
  afterAll(async () => {
    sender.close();
    await target.close();
  });

  async function post(operation: Operation, body: string) {
    const fill = (text: string) => fillMarks(text, target.tell);
    const answer = await sender.send({
      method: operation.method,
      url: fill(operation.path.replace(/\{(\w+)\}/g, '@@$1.own@@')),
      headers: {
        ...target.letters(operation, 'own').headers,
        'content-type': 'application/json',
      },
      body: Buffer.from(
        fill(body.replace('NEW', `corpus-${++counter}`).replace(/@@(\w+)\.own#@@/g, '@@$1.own@@')),
      ),
    });
    return { status: answer.status, body: JSON.parse(answer.text) };
  }

  const find = (title: string) => {
    const found = operations.find((operation) => operation.title === title);
    if (!found) throw new Error(`there is no ${title}`);
    return found;
  };

  it.each(bodies)(
    '%s %s: every wrong amount is a 400 that changes nothing',
    async (title, body) => {
      const before = await fingerprint();
      const balance = title.endsWith('/account/balance');
      for (const amount of wrongAmounts) {
        // A seller's balance is a figure that others set, and may be a debt.
        if (balance && /^"?-/.test(amount)) continue;
        const answer = await post(find(title), body.replace('AMOUNT', amount));
        const told = `${amount}: ${JSON.stringify(answer.body)}`;
        expect(answer.status, told).toBe(400);
        expect(answer.body.code, told).toMatch(/^invalid_(?:amount|parameter|body)$/);
      }
      expect(listChanges(before, await fingerprint())).toEqual([]);
      const right = await post(find(title), body.replace('AMOUNT', '1.5'));
      expect(right.status, JSON.stringify(right.body)).toBeLessThan(300);
    },
  );

  it('every wrong id is a 4xx that changes nothing, in every body that takes one', async () => {
    const before = await fingerprint();
    let tried = 0;
    for (const operation of operations) {
      const schema = operation.requestBody?.content?.['application/json']?.schema;
      const properties = Object.keys(schema?.properties ?? {});
      // The same bodies stand behind two or three doors; the suite tries one of them.
      if (!isWhole && operation.path.startsWith('/panel/')) continue;
      for (const name of properties.filter((each) =>
        /(?<!external)_id$|^purchase_code$/.test(each),
      )) {
        const isNumber = JSON.stringify(schema?.properties?.[name]).includes('"integer"');
        for (const id of wrongIds) {
          if (isNumber && id === '1') continue;
          const rest = (schema?.required ?? []).filter((each) => each !== name);
          const body = `{${[...rest.map((each) => `"${each}":"x"`), `"${name}":${id}`].join(',')}}`;
          const answer = await post(operation, body);
          const told = `${operation.title} ${name} ${id}: ${JSON.stringify(answer.body)}`;
          expect(answer.status, told).toBeGreaterThanOrEqual(400);
          expect(answer.status, told).toBeLessThan(500);
          tried++;
        }
      }
    }
    expect(tried).toBeGreaterThan(50);
    expect(listChanges(before, await fingerprint())).toEqual([]);
  });
});
