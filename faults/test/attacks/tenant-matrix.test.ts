// Two tenants, every operation, every id: what is another's cannot be told from what is not there.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLicensingTarget } from './licensing-target.ts';
import { listOperations, type Operation } from './operations.ts';
import { openSender, type Sender } from './send.ts';
import { isWhole, report } from './sizes.ts';
import { type StatementLog, watchStatements } from './statements.ts';
import type { Target } from './target.ts';
import { ask, listPlaces, type Matrix, type Place } from './tenant-matrix.ts';
import { openWalletTarget } from './wallet-target.ts';

type Bodies = Matrix['bodies'];

/** Of the same form in both services. */
const webhookBodies: Bodies = [
  [/\/webhooks$/, { url: 'https://hooks.invalid/', events: ['webhook.none'] }],
  [/\/webhooks\/\{webhook_id\}$/, { description: 'New' }],
  [/\/webhooks\/\{webhook_id\}\/rotate$/, { overlap_hours: 1 }],
  [/\/webhooks\/\{webhook_id\}\/replay$/, { event_id: 'evt_1_999999' }],
];

const licensingBodies: Bodies = [
  ...webhookBodies,
  [/\/members\/\{person_id\}$/, { role: 'member' }],
  [/\/invitations$/, { email: 'new@test.example', role: 'member' }],
  [/\/api-keys$/, { name: 'Made', kind: 'publishable' }],
  [/\/api-keys\/import$/, { name: 'Brought', kind: 'publishable', api_key: 'x'.repeat(40) }],
  [/\/api-keys\/\{key_id\}$/, { name: 'Renamed' }],
  [/\/account\/balance$/, { balance: 1 }],
  [/\/items$/, { name: 'Made', kind: 'image' }],
  [/\/items\/\{item_id\}$/, { name: 'Renamed' }],
  [/\/versions$/, { version: '2.0.0' }],
  [/\/support$/, { supported_until: '2027-01-01T00:00:00Z' }],
  [/\/workspaces\/\{workspace_id\}$/, { name: 'Renamed' }],
  [/\/account$/, { heading: 'New' }],
  [/\/activations(?:\/release)?$/, { domain: 'shop.example' }],
  [/\/purchases$/, { price: 1, currency: 'USD', license_type: 'Regular' }],
];

const walletBodies: Bodies = [
  ...webhookBodies,
  [/\/members\/\{person_id\}$/, { role: 'member' }],
  [/\/invitations$/, { email: 'new@test.example', role: 'member' }],
  [/\/packages\/\{package_id\}$/, { alert_threshold: 5 }],
  [/\/key-pairs\/rotate$/, { purpose: 'caller', overlap: '24h' }],
  [/\/top-ups$/, { amount: 1 }],
  [/\/status$/, { status: 'active' }],
  [/\/(?:adjust|update_balance)$/, { type: 'credit', amount: 1 }],
  [/\/callback-test$/, { fault: 'none' }],
  [/\/replay$/, { sequence: 3 }],
  [/\/launch$/, { game_id: 'a' }],
  [/\/callback$/, { action: 'bet', amount: 1, transaction_id: 'matrix', game_id: 'a' }],
];

/**
 * Where one's own answers like an unknown one, and why that is right. Whatever is not listed must
 * tell the two apart, or the request never came as far as the id.
 */
const alike: readonly (readonly [RegExp, string, string])[] = [
  [
    /\/purchases$/,
    'purchase_code',
    'a list by a code that is not there is empty; a new one is made',
  ],
  [/./, 'api_key', 'a key that is brought must be new everywhere'],
  [/./, 'api_key_id', 'a filter of a log that may hold nothing'],
  [/\/user\/create$|\/players$/, 'player_id', 'made where it is not there'],
  [/\/(?:update_balance|adjust|top-ups|callback)$/, 'transaction_id', 'good once, and new here'],
  [/\/(?:callbacks|journal|journal\/totals|journal\.csv|rounds|list)$/, '*', 'a filter of a list'],
  [/\/callback$/, '*', 'a part of a movement that is made'],
  [/\/(?:usage|requests|purchases)$/, 'item_id', 'a filter of a list'],
  [/\/buyers\/erase$/, 'purchase_id', 'a purchase without a buyer has nothing to erase'],
  [/\/callback-test$/, 'player_id', 'the trial tells what the callback said'],
];

const isAlike = (operation: Operation, name: string) =>
  alike.some(([end, each]) => end.test(operation.path) && (each === '*' || each === name));

const inOrder = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

describe.each([
  [
    'licensing',
    () => openLicensingTarget(),
    'workspace_id item_id purchase_id purchase_code activation_id key_id api_key_id person_id invitation_id webhook_id id',
    licensingBodies,
    () => true,
  ],
  [
    'wallet',
    () => openWalletTarget(),
    'package_id player_id transaction_id round_id session_id pair_id person_id invitation_id webhook_id id',
    walletBodies,
    // Administrators may see every package; what is another package's stays its own.
    (operation: Operation, name: string) =>
      !(name === 'package_id' && /^\/(?:admin\/v1|panel\/admin)\//.test(operation.path)) &&
      !operation.path.startsWith('/panel/admin/administrator') &&
      // The same verbs as behind the token's door; by command they have their turn too.
      (isWhole || !operation.path.startsWith('/panel/admin/')),
  ],
] as const)('%s', (title, open, names, bodies, isTenants) => {
  let target: Target;
  let sender: Sender;
  let log: StatementLog;
  beforeAll(async () => {
    log = watchStatements();
    target = await open();
    sender = openSender(target.port);
  });
  afterAll(async () => {
    sender.close();
    await target.close();
    log.close();
  });

  it("answers for another's as for none: the same bytes, statements and round trips", async () => {
    const matrix: Matrix = { target, sender, log, names: new Set(names.split(' ')), bodies };
    const operations = listOperations(target.document).sort(
      (a, b) => inOrder.indexOf(a.method) - inOrder.indexOf(b.method),
    );
    const problems: string[] = [];
    let pairs = 0;
    for (const operation of operations) {
      for (const place of listPlaces(operation, matrix.names)) {
        if (!isTenants(operation, place.name)) continue;
        pairs++;
        const where = `${operation.title} by ${place.name}`;
        const { foreign, unknown } = await compare(matrix, operation, place);
        const told = JSON.stringify({ foreign, unknown }, null, 1);
        if (JSON.stringify(foreign) !== JSON.stringify(unknown)) problems.push(`${where}: ${told}`);
        if (isAlike(operation, place.name)) continue;
        if (!(await isReached(matrix, operation, place, unknown.body))) {
          problems.push(`${where}: one's own is answered like an unknown one: ${unknown.body}`);
        }
      }
    }
    report(
      `${title}: ${pairs} ids in ${operations.length} operations, foreign beside unknown: ${problems.length} problems`,
    );
    expect(problems).toEqual([]);
    expect(pairs).toBeGreaterThan(80);
  }, 600_000);
});

/**
 * What goes on behind answers sends statements of its own, now and then between ours: a difference
 * counts when it stays.
 */
async function compare(matrix: Matrix, operation: Operation, place: Place) {
  for (let tries = 1; ; tries++) {
    const unknown = await ask(matrix, operation, place, 'unknown');
    const foreign = await ask(matrix, operation, place, 'foreign');
    // It took the other's name for a thing of its own, as it may; it must not have it yet next time.
    if (foreign.status < 300 && operation.method !== 'GET') await matrix.target.renew();
    const isSame = JSON.stringify(foreign) === JSON.stringify(unknown);
    if (isSame || tries === 4) return { foreign, unknown };
  }
}

/** An earlier request may have used one's own thing up; then a new one must do. */
async function isReached(
  matrix: Matrix,
  operation: Operation,
  place: Place,
  unknown: string,
): Promise<boolean> {
  const own = await ask(matrix, operation, place, 'own');
  if (own.body !== unknown) return true;
  await matrix.target.renew();
  return (await ask(matrix, operation, place, 'own')).body !== unknown;
}
