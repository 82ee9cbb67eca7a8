// Reads the lists of a tenant, also with a cursor of the other tenant, and checks that no list contains an
// object of the other tenant.
import { eventually } from '@counterfoil/kit/testing/eventually';
import { expect } from 'vitest';
import { escapeText } from './cases.ts';
import type { Operation } from './operations.ts';
import type { Answer } from './send.ts';
import type { Target } from './target.ts';
import type { Matrix, Whose } from './tenant-matrix.ts';

const escapePattern = (text: string) => text.replace(/[^\w]/g, '\\$&');

/**
 * Lists the names of the other tenant's objects whose ids occur in the text. Short and numeric ids do not
 * count, because they may occur by chance.
 */
export function findForeign(target: Target, text: string): string[] {
  return [...target.known].filter((name) => {
    const value = target.idOf(name, 'foreign');
    const isDistinctive = value.length > 7 && /[a-z]/i.test(value) && /\d/.test(value);
    return isDistinctive && new RegExp(`${escapePattern(value)}(?!\\w)`).test(text);
  });
}

const isAdministrators = ({ path }: Operation) => /^\/(?:admin\/v1|panel\/admin)\//.test(path);

async function read(
  { target, sender, ids }: Matrix,
  operation: Operation,
  wanted: { whose: Whose; further: Readonly<Record<string, string>> },
): Promise<Answer> {
  const { whose, further } = wanted;
  const idOf = (name: string) => target.idOf(ids.get(name)?.[0] ?? name, whose);
  const query = operation.parameters
    .filter((each) => each.in === 'query' && each.required)
    .map((each): [string, string] => [each.name, idOf(each.name)]);
  const pairs = [...query, ...Object.entries(further)];
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => escapeText(idOf(name)));
  const who = whose === 'foreign' && !isAdministrators(operation) ? 'foreign' : 'own';
  return sender.send({
    method: 'GET',
    url: `${path}?${pairs.map(([name, value]) => `${name}=${escapeText(value)}`).join('&')}`,
    headers: target.headersFor(operation, who),
  });
}

interface SeenPages {
  readonly problems: readonly string[];
  /** The lists that were read with the other tenant's cursor. */
  readonly continued: readonly string[];
}

async function findNext(matrix: Matrix, operation: Operation): Promise<unknown> {
  const { text } = await read(matrix, operation, { whose: 'foreign', further: { limit: '1' } });
  const { data } = JSON.parse(text);
  return data?.next_cursor ?? data?.next_after;
}

/** Waits for a second page, because the logs are written about a second after the answers. */
const waitForNext = (matrix: Matrix, operation: Operation) =>
  eventually(async () => {
    const next = await findNext(matrix, operation);
    expect(next, `${operation.title}: a second page`).toBeTruthy();
    return next;
  });

export async function readPages(
  matrix: Matrix,
  operations: readonly Operation[],
  mayBeEmpty: RegExp,
): Promise<SeenPages> {
  const problems: string[] = [];
  const continued: string[] = [];
  for (const operation of operations) {
    const look = async (further: Readonly<Record<string, string>>) => {
      const { status, text } = await read(matrix, operation, { whose: 'own', further });
      const found = findForeign(matrix.target, text);
      if (status !== 200) problems.push(`${operation.title}: ${status} ${text.slice(0, 200)}`);
      if (found.length > 0) problems.push(`${operation.title} shows the other tenant's ${found.join(', ')}`);
    };
    await look({});
    const takes = operation.parameters.find(({ name }) => name === 'cursor' || name === 'after');
    if (!takes) continue;
    const find = mayBeEmpty.test(operation.path) ? findNext : waitForNext;
    const next = await find(matrix, operation);
    if (next) continued.push(operation.title);
    if (next) await look({ [takes.name]: String(next) });
  }
  return { problems, continued };
}
