// Two tenants, every operation, every id: a foreign thing is answered exactly like a missing one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLicensingTarget } from './licensing-target.ts';
import { listOperations, type Operation } from './operations.ts';
import { openSender, type Sender } from './send.ts';
import { report } from './sizes.ts';
import { type StatementLog, watchStatements } from './statements.ts';
import type { Target } from './target.ts';
import { alike, licensingBodies, walletBodies } from './tenant-bodies.ts';
import { ask, listPlaces, type Matrix, type TriedPlace } from './tenant-matrix.ts';
import { isExcused, licensingNames, listReasoned, walletNames } from './tenant-names.ts';
import { findForeign, readPages } from './tenant-pages.ts';
import { openWalletTarget } from './wallet-target.ts';

const isAlike = (operation: Operation, name: string) =>
  alike.some(([end, each]) => end.test(operation.path) && (each === '*' || each === name));

const inOrder = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Background deliveries and proofs are off during the attack. */
const mayBeEmpty = /\/(?:deliveries|proofs)$/;

/** Tries the ids at the given positions; the main and the slow suite share the list. */
export function describeTenantMatrix(isTried: (position: number) => boolean): void {
  describe.each([
    ['licensing', () => openLicensingTarget(), licensingNames, licensingBodies],
    ['wallet', () => openWalletTarget(), walletNames, walletBodies],
  ] as const)('%s', (title, open, names, bodies) => {
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
    const listTried = (operation: Operation): TriedPlace[] =>
      listPlaces(operation)
        .filter(({ name }) => !isExcused(names, operation, name))
        .flatMap((place) =>
          (names.ids.get(place.name) ?? []).map((thing) => ({ ...place, thing })),
        );

    it('every name in the document is an id that is tried, or has a reason not to be', () => {
      const documented = operations.flatMap(listPlaces);
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
        'an id with an excuse',
      ).toEqual([]);
      const deep = documented.filter(
        ({ at, name }) => at === 'within a body' && names.ids.has(name),
      );
      expect(deep, 'an id that the matrix does not reach').toEqual([]);
      const known = [...names.ids.values()].flat().filter((thing) => !target.known.has(thing));
      expect(known, 'an id of which the tenants have none').toEqual([]);
    });

    it('every operation has an id that is tried, or a reason to have none', () => {
      const isReached = (operation: Operation) => listTried(operation).length > 0;
      const hasExcuse = (operation: Operation) =>
        nameless.includes(operation.title) ||
        listPlaces(operation).some(
          ({ name }) => names.ids.has(name) && isExcused(names, operation, name),
        );
      const left = operations.filter((each) => !isReached(each) && !hasExcuse(each));
      expect(left.map((each) => each.title)).toEqual([]);
      const titles = operations.filter((each) => !isReached(each)).map((each) => each.title);
      expect(
        nameless.filter((each) => !titles.includes(each)),
        'needs no reason',
      ).toEqual([]);
    });

    it("no page shows another's things, wherever another's page ended", async () => {
      const isForAll = ({ path }: Operation) =>
        /^\/(?:admin\/v1|panel\/admin)\/(?!packages\/\{)/.test(path);
      const pages = operations.filter(
        (each) => each.method === 'GET' && each.security.length > 0 && !isForAll(each),
      );
      const { problems, continued } = await readPages(matrix, pages, mayBeEmpty);
      report(`${title}: ${pages.length} reads, ${continued.length} on from another's cursor`);
      expect(problems).toEqual([]);
    });

    it("answers for another's as for none: the same bytes, statements and round trips", async () => {
      const problems: string[] = [];
      let pairs = 0;
      const all = operations.flatMap((operation) =>
        listTried(operation).map((place) => ({ operation, place })),
      );
      for (const { operation, place } of all.filter((_each, position) => isTried(position))) {
        pairs++;
        problems.push(...(await tryPlace(matrix, operation, place)));
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

async function tryPlace(
  matrix: Matrix,
  operation: Operation,
  place: TriedPlace,
): Promise<string[]> {
  const where = `${operation.title} by ${place.name} in the ${place.at} (${place.thing})`;
  const { foreign, unknown, text } = await compare(matrix, operation, place);
  const problems: string[] = [];
  if (JSON.stringify(foreign) !== JSON.stringify(unknown)) {
    problems.push(`${where}: ${JSON.stringify({ foreign, unknown }, null, 1)}`);
  }
  const shown = findForeign(matrix.target, text);
  if (shown.length > 0) problems.push(`${where}: shows another's ${shown.join(', ')}`);
  const huge = await ask(matrix, operation, place, 'huge');
  if (huge.status >= 500) problems.push(`${where}: ${huge.status} for 2^63: ${huge.body}`);
  if (isAlike(operation, place.name)) return problems;
  if (!(await isReached(matrix, operation, place, unknown.body))) {
    problems.push(`${where}: one's own is answered like an unknown one: ${unknown.body}`);
  }
  return problems;
}

/**
 * Background work sends statements of its own between ours now and then, and memory that has aged is
 * read again: a difference counts when it is there twenty times in a row.
 */
async function compare(matrix: Matrix, operation: Operation, place: TriedPlace) {
  for (let tries = 1; ; tries++) {
    const { text: _text, ...unknown } = await ask(matrix, operation, place, 'unknown');
    const { text, ...foreign } = await ask(matrix, operation, place, 'foreign');
    // The tenant created its own thing with the foreign name, which is allowed. The next try needs a new one.
    if (foreign.status < 300 && operation.method !== 'GET') await matrix.target.renew();
    const isSame = JSON.stringify(foreign) === JSON.stringify(unknown);
    if (isSame || tries === 20) return { foreign, unknown, text };
  }
}

/** Makes a new thing if an earlier request has consumed it. */
async function isReached(
  matrix: Matrix,
  operation: Operation,
  place: TriedPlace,
  unknown: string,
): Promise<boolean> {
  const own = await ask(matrix, operation, place, 'own');
  if (own.body !== unknown) return true;
  await matrix.target.renew();
  return (await ask(matrix, operation, place, 'own')).body !== unknown;
}
