// Sends amounts and ids that have broken other services to every path that accepts them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillMarks } from './arbitraries.ts';
import { createFingerprint, listChanges } from './fingerprint.ts';
import { openLicensingTarget } from './licensing-target.ts';
import { getOperation, listOperations, type Operation } from './operations.ts';
import { openSender, type Sender } from './send.ts';
import { isWhole } from './sizes.ts';
import { makeJsonRequest, type Target } from './target.ts';
import {
  getValidBody,
  licensingValid,
  listIdNames,
  listWrongIds,
  tailOf,
  walletValid,
} from './valid-bodies.ts';
import { openWalletTarget } from './wallet-target.ts';

/** The amounts are JSON texts, because parsing would lose the notation of a number. */
const wrongAmounts = [
  '-1',
  '-0.01',
  '0.001',
  '1.005',
  '1e21',
  '1e308',
  '1e400',
  '1e-7',
  '9007199254740993',
  '9223372036854775808',
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
  ['POST /api/v1/purchases', '{"item_id":"@@item_id.own#@@","price":AMOUNT,"currency":"USD"}'],
  ['PATCH /api/v1/items/{item_id}', '{"price":{"regular":AMOUNT,"extended":1}}'],
  ['POST /api/v1/items', '{"name":"n","kind":"image","price":{"regular":1,"extended":AMOUNT}}'],
];

/** The paths of the published operations, which ignore unknown fields in a body. */
const publishedBodies =
  /^\/api\/(?:v1\/(?:user|game)\/|v1\/licences$|v1\/activations(?:$|\/release$)|(?!v1\/))|^\/vendors\//;

let counter = 0;

describe.each([
  ['licensing', openLicensingTarget, licensingBodies, licensingValid],
  ['wallet', openWalletTarget, walletBodies, walletValid],
] as const)('the service %s', (_name, open, bodies, valid) => {
  let target: Target;
  let sender: Sender;
  let operations: Operation[];
  let fingerprint: () => Promise<Map<string, string>>;
  beforeAll(async () => {
    target = await open();
    sender = openSender(target.port);
    operations = listOperations(target.document);
    fingerprint = await createFingerprint(target.db, target.logTables);
  });
  afterAll(async () => {
    sender.close();
    await target.close();
  });

  async function post(operation: Operation, body: string) {
    const filled = fillMarks(body.replaceAll('NEW', `corpus-${++counter}`), target.idOf);
    const answer = await sender.send(makeJsonRequest(target, operation, filled));
    return { status: answer.status, body: JSON.parse(answer.text) };
  }

  it.each(bodies)(
    'the operation %s with the body %s refuses every wrong amount and changes nothing',
    async (title, body) => {
      const operation = getOperation(target.document, title);
      const before = await fingerprint();
      const balance = title.endsWith('/account/balance');
      for (const amount of wrongAmounts) {
        // A seller's balance may be negative, so negative amounts are valid for this operation.
        if (balance && /^"?-/.test(amount)) continue;
        const answer = await post(operation, body.replace('AMOUNT', amount));
        const shown = `${amount}: ${JSON.stringify(answer.body)}`;
        expect(answer.status, shown).toBe(400);
        expect(answer.body.code, shown).toMatch(/^invalid_(?:amount|parameter|body)$/);
      }
      expect(listChanges(before, await fingerprint())).toEqual([]);
      const right = await post(operation, body.replace('AMOUNT', '1.5'));
      expect(right.status, JSON.stringify(right.body)).toBeLessThan(300);
    },
  );

  /** The test suites try one path of each operation; `npm run faults -- attacks` tries all paths. */
  const listTried = () =>
    operations.filter(
      (each, i) => isWhole || operations.findIndex((one) => tailOf(one) === tailOf(each)) === i,
    );

  /** The test suites try a third of the wrong ids of each operation; `at` selects the third. */
  const listTriedIds = (operation: Operation, name: string, at: number) =>
    listWrongIds(operation, name).filter((_id, i) => isWhole || i % 3 === at % 3);

  it('every wrong id in an otherwise valid body is refused and changes nothing', async () => {
    const tried = listTried().flatMap((operation) =>
      listIdNames(operation).map((name) => {
        const body = getValidBody(valid, operation, name);
        return { operation, name, body, title: `${operation.title} by ${name}` };
      }),
    );
    const before = await fingerprint();
    for (const [at, { operation, name, body, title }] of tried.entries()) {
      for (const id of listTriedIds(operation, name, at)) {
        const spoilt = JSON.stringify({ ...body, [name]: 'WRONG' }).replace('"WRONG"', id);
        const answer = await post(operation, spoilt);
        // Clients of other vendors may send any text as an instance or a product. An unknown text gets
        // a 404.
        const isProduct = operation.path.endsWith('/licenses/verify');
        const isOfVendor = isProduct || ['instance_id', 'product_id'].includes(name);
        const refusals = isOfVendor ? [400, 404] : [400];
        expect(refusals, `${title} ${id}: ${JSON.stringify(answer.body)}`).toContain(answer.status);
      }
    }
    expect(listChanges(before, await fingerprint())).toEqual([]);
    for (const { operation, body, title } of tried) {
      let right = await post(operation, JSON.stringify(body));
      // An earlier valid request may have used up the object, so the request is repeated with a new tenant.
      if (right.status >= 300) {
        await target.renew();
        right = await post(operation, JSON.stringify(body));
      }
      expect(right.status, `${title}: ${JSON.stringify(right.body)}`).toBeLessThan(300);
    }
  });

  it('an unknown field in a management body gets a 400 that names the field', async () => {
    const isPublished = ({ path }: Operation) => publishedBodies.test(path);
    const withBody = operations.filter((each) => each.requestBody?.content?.['application/json']);
    expect(withBody.some(isPublished)).toBe(true);
    const before = await fingerprint();
    for (const operation of withBody) {
      const answer = await post(operation, '{"misspelt":1}');
      const isNamed = answer.body.errors?.misspelt !== undefined;
      const found = `${operation.title}: ${answer.status} ${JSON.stringify(answer.body)}`;
      expect(isNamed, found).toBe(!isPublished(operation));
      if (isNamed) expect(answer.status, found).toBe(400);
    }
    expect(listChanges(before, await fingerprint())).toEqual([]);
  });
});
