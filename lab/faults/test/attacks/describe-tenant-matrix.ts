// Tests every id of every operation: an id of another tenant is answered exactly like an unknown id.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLicensingTarget } from './licensing-target.ts';
import { listOperations, type Operation } from './operations.ts';
import { openSender, type Sender } from './send.ts';
import { report } from './sizes.ts';
import { type StatementLog, watchStatements } from './statements.ts';
import type { Target } from './target.ts';
import { alike, licensingBodies, walletBodies } from './tenant-bodies.ts';
import { ask, listPositions, type Matrix, type TriedPosition } from './tenant-matrix.ts';
import { isExcused, licensingNames, listReasoned, walletNames } from './tenant-names.ts';
import { findForeign, readPages } from './tenant-pages.ts';
import { openWalletTarget } from './wallet-target.ts';

const isAlike = (operation: Operation, name: string) =>
  alike.some(([end, each]) => end.test(operation.path) && (each === '*' || each === name));

const inOrder = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Lists that may be empty, because no webhooks are sent and no proofs run during the test. */
const mayBeEmpty = /\/(?:deliveries|proofs)$/;

/**
 * Declares the tests. `isTried` selects ids by their index, so that the main and the slow suite share the
 * work.
 */
export function describeTenantMatrix(isTried: (index: number) => boolean): void {
  describe.each([
    ['licensing', () => openLicensingTarget(), licensingNames, licensingBodies],
    ['wallet', () => openWalletTarget(), walletNames, walletBodies],
  ] as const)('the service %s', (title, open, names, bodies) => {
    let target: Target;
    let sender: Sender;
    let log: StatementLog;
    let operations: Operation[];
    let matrix: Matrix;
    beforeAll(async () => {
      log = watchStatements();
      target = await open();
      sender = openSender(target.port);
      matrix = { target, sender, log, ids: names.ids, bodies };
      operations = listOperations(target.document).sort(
        (a, b) => inOrder.indexOf(a.method) - inOrder.indexOf(b.method),
      );
    });
    afterAll(async () => {
      sender.close();
      await target.close();
      log.close();
    });

    const nameless = names.nameless.flatMap(([, titles]) => titles);
    const listTried = (operation: Operation): TriedPosition[] =>
      listPositions(operation)
        .filter(({ name }) => !isExcused(names, operation, name))
        .flatMap((position) => (names.ids.get(position.name) ?? []).map((thing) => ({ ...position, thing })));

    it('every parameter and field is listed as an id, or with the reason why it is no id', () => {
      const documented = operations.flatMap(listPositions);
      const inDocument = new Set(documented.map(({ name }) => name));
      const plain = listReasoned(names.plain);
      const listed = [...names.ids.keys(), ...plain];
      expect(
        [...inDocument].filter((name) => !listed.includes(name)),
        'not listed',
      ).toEqual([]);
      expect(
        listed.filter((name) => !inDocument.has(name)),
        'in no operation',
      ).toEqual([]);
      expect(
        plain.filter((name) => names.ids.has(name)),
        'listed as an id and with a reason',
      ).toEqual([]);
      const deep = documented.filter(({ at, name }) => at === 'within a body' && names.ids.has(name));
      expect(deep, 'an id in a nested field, which the test does not try').toEqual([]);
      const known = [...names.ids.values()].flat().filter((thing) => !target.known.has(thing));
      expect(known, 'an id for which the tenants have no value').toEqual([]);
    });

    it('every operation has an id that is tried, or is listed with the reason why no id is tried', () => {
      const isReached = (operation: Operation) => listTried(operation).length > 0;
      const hasExcuse = (operation: Operation) =>
        nameless.includes(operation.title) ||
        listPositions(operation).some(({ name }) => names.ids.has(name) && isExcused(names, operation, name));
      const left = operations.filter((each) => !isReached(each) && !hasExcuse(each));
      expect(left.map((each) => each.title)).toEqual([]);
      const titles = operations.filter((each) => !isReached(each)).map((each) => each.title);
      expect(
        nameless.filter((each) => !titles.includes(each)),
        'listed as an operation without an id, but has one',
      ).toEqual([]);
    });

    it('the service shows no list entry of another tenant, even with a cursor of that tenant', async () => {
      const isForAll = ({ path }: Operation) => /^\/(?:admin\/v1|panel\/admin)\/(?!packages\/\{)/.test(path);
      const pages = operations.filter(
        (each) => each.method === 'GET' && each.security.length > 0 && !isForAll(each),
      );
      const { problems, continued } = await readPages(matrix, pages, mayBeEmpty);
      report(`${title}: ${pages.length} reads, ${continued.length} continued from the other tenant's cursor`);
      expect(problems).toEqual([]);
    });

    it("another tenant's id gets the answer of an unknown id: same bytes and SQL statements", async () => {
      const problems: string[] = [];
      let pairs = 0;
      const all = operations.flatMap((operation) =>
        listTried(operation).map((position) => ({ operation, position })),
      );
      for (const { operation, position } of all.filter((_each, index) => isTried(index))) {
        pairs++;
        problems.push(...(await tryPosition(matrix, operation, position)));
      }
      expect(pairs).toBeGreaterThan(0);
      report(
        `${title}: ${pairs} ids in ${operations.length} operations, foreign vs. unknown: ` +
          `${problems.length} problems`,
      );
      expect(problems).toEqual([]);
    });
  });
}

async function tryPosition(matrix: Matrix, operation: Operation, position: TriedPosition): Promise<string[]> {
  const where = `${operation.title} by ${position.name} in the ${position.at} (${position.thing})`;
  const { foreign, unknown, text } = await compare(matrix, operation, position);
  const problems: string[] = [];
  if (JSON.stringify(foreign) !== JSON.stringify(unknown)) {
    problems.push(`${where}: ${JSON.stringify({ foreign, unknown }, null, 1)}`);
  }
  const shown = findForeign(matrix.target, text);
  if (shown.length > 0) problems.push(`${where}: shows the other tenant's ${shown.join(', ')}`);
  const huge = await ask(matrix, operation, position, 'huge');
  if (huge.status >= 500) problems.push(`${where}: ${huge.status} for 2^63: ${huge.body}`);
  if ([position.name, position.thing].some((name) => isAlike(operation, name))) return problems;
  if (!(await isReached(matrix, operation, position, unknown.body))) {
    problems.push(`${where}: the tenant's own id is answered like an unknown one: ${unknown.body}`);
  }
  return problems;
}

/**
 * Compares the answers to a foreign and an unknown id. Background work and expired cache entries add SQL
 * statements at random, so a difference counts only if it occurs in 20 tries in a row.
 */
async function compare(matrix: Matrix, operation: Operation, position: TriedPosition) {
  for (let tries = 1; ; tries++) {
    const { text: _text, ...unknown } = await ask(matrix, operation, position, 'unknown');
    const { text, ...foreign } = await ask(matrix, operation, position, 'foreign');
    // An accepted write may have created an object with this id. The service would refuse to create the
    // object again, so the next try uses a new tenant.
    if (foreign.status < 300 && operation.method !== 'GET') await matrix.target.renew();
    const isSame = JSON.stringify(foreign) === JSON.stringify(unknown);
    if (isSame || tries === 20) return { foreign, unknown, text };
  }
}

/**
 * Whether the answer for the tenant's own id differs from the answer for an unknown id. If the answers are
 * equal, the function tries again with a new tenant, because an attack may have used up the object.
 */
async function isReached(
  matrix: Matrix,
  operation: Operation,
  position: TriedPosition,
  unknown: string,
): Promise<boolean> {
  const own = await ask(matrix, operation, position, 'own');
  if (own.body !== unknown) return true;
  await matrix.target.renew();
  return (await ask(matrix, operation, position, 'own')).body !== unknown;
}
