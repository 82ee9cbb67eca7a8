// The tables of errors in the guides of the dialects agree with the errors of the dialects.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type DialectName, dialectNames, type EarlyFailure, type FailureCode } from './dialect.ts';
import * as hub88 from './hub88/errors.ts';
import * as slotegrator from './slotegrator/errors.ts';
import * as softswiss from './softswiss/errors.ts';
import * as valkyrie from './valkyrie/errors.ts';

type Code = FailureCode | EarlyFailure;

interface Guide {
  /** The heading above the table. */
  readonly heading: string;
  /** For each failure, the answers in the form in which the first cells of a row show them. */
  readonly answers: Readonly<Record<Code, readonly string[]>>;
  /** The failures that do not occur in the dialect, because no request can cause them. */
  readonly absent: readonly Code[];
  /** The answers that depend on the fields of the request and not on a failure of the wallet. */
  readonly otherAnswers: readonly string[];
  /** Reads the answers that a row names. */
  readonly readAnswers: (cells: readonly string[]) => readonly string[];
}

const quoted = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);

const mapAnswers = <T>(
  errors: Readonly<Record<string, T>>,
  toAnswers: (error: T, code: string) => string[],
) =>
  Object.fromEntries(
    Object.entries(errors).map(([code, error]) => [code, toAnswers(error, code)]),
  ) as unknown as Record<Code, string[]>;

/**
 * SoftSwiss and Slotegrator have no sessions. Their wins do not name a bet, and their rollbacks also undo
 * settled bets.
 */
const absentWithoutReferences: readonly Code[] = [
  ...(['session_not_found', 'session_expired', 'bet_not_found', 'game_not_found'] as const),
  ...(['bet_refused', 'bet_already_settled', 'round_not_found'] as const),
];

const conflict = slotegrator.failures.transaction_conflict;

/**
 * Whether the cell shows one example of many messages. Each of these messages names a field of the request.
 */
const isExample = (cell = ''): boolean => cell.includes('such as');

const guides: Readonly<Record<DialectName, Guide>> = {
  softswiss: {
    heading: 'Errors',
    answers: mapAnswers(
      { ...softswiss.failures, ...softswiss.earlyFailures },
      ({ apiCode, message }, code) =>
        // The message of these two failures begins with the field of the request.
        code === 'transaction_conflict' || code === 'not_a_bet'
          ? [`${apiCode} field`]
          : [`${apiCode} ${message}`],
    ),
    absent: [...absentWithoutReferences, 'stale'],
    otherAnswers: ['154 currency not allowed'],
    readAnswers: ([apiCode = '', messages = '']) =>
      isExample(messages)
        ? [`${apiCode} field`]
        : quoted(messages.replace(', with `balance`', '')).map((message) => `${apiCode} ${message}`),
  },
  hub88: {
    heading: 'Statuses',
    answers: mapAnswers({ ...hub88.failures, ...hub88.earlyFailures }, (status, code) =>
      code === 'bet_limit' ? [status, hub88.findStatus(code, 'caleta')] : [status],
    ),
    absent: ['game_not_found', 'bet_already_settled', 'stale'],
    otherAnswers: ['RS_OK', 'RS_ERROR_WRONG_TYPES', 'RS_ERROR_WRONG_CURRENCY'],
    readAnswers: ([statuses]) => quoted(statuses),
  },
  slotegrator: {
    heading: 'Errors',
    answers: mapAnswers({ ...slotegrator.failures, ...slotegrator.earlyFailures }, (description, code) => [
      `${code === 'insufficient_funds' ? 'INSUFFICIENT_FUNDS' : 'INTERNAL_ERROR'} ${description}`,
    ]),
    absent: absentWithoutReferences,
    otherAnswers: ['INTERNAL_ERROR field'],
    readAnswers: ([code, descriptions]) =>
      isExample(descriptions)
        ? [`${quoted(code)} field`]
        : quoted(descriptions).map(
            // The description of a conflict ends with the field that differs.
            (text) => `${quoted(code)} ${text.startsWith(conflict) ? conflict : text}`,
          ),
  },
  valkyrie: {
    heading: 'Errors',
    answers: mapAnswers({ ...valkyrie.failureErrors, ...valkyrie.earlyErrors }, ({ code, status }) => [
      `${code} ${status}`,
    ]),
    absent: ['stale'],
    otherAnswers: [
      ...Object.values(valkyrie.requestErrors).map(({ code, status }) => `${code} ${status}`),
      'PAM_ERR_UNDEFINED 405',
    ],
    readAnswers: ([codes, statuses = '']) =>
      quoted(codes).flatMap((code) => statuses.split(', ').map((status) => `${code} ${status}`)),
  },
};

const folder = new URL('../../../../../../docs/guide/dialects/', import.meta.url);

/** Reads the rows of the table below a heading, as lists of cells. */
function readTable(dialect: DialectName, heading: string): string[][] {
  const text = readFileSync(new URL(`${dialect}.md`, folder), 'utf8');
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  const lines = own.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(1).map((line) => line.slice(2, -2).split(' | '));
}

describe.each(dialectNames)('the table of errors in the guide of %s', (dialect) => {
  const { heading, answers, absent, otherAnswers, readAnswers } = guides[dialect];
  const codes = Object.keys(answers) as Code[];
  const rows = readTable(dialect, heading).map((cells) => ({
    answers: readAnswers(cells),
    codes: quoted(cells.at(-1)).filter((text): text is Code => codes.includes(text as Code)),
  }));
  const pairs = rows.flatMap((row) =>
    row.codes.map((code) => ({ code, answers: row.answers.filter((each) => answers[code].includes(each)) })),
  );

  it('the table names every failure that can occur, with the answer that the dialect sends', () => {
    const sent = codes
      .filter((code) => !absent.includes(code))
      .map((code) => ({ code, answers: answers[code] }));
    const byCode = (a: { code: string }, b: { code: string }) => (a.code < b.code ? -1 : 1);
    expect(pairs.sort(byCode)).toEqual(sent.sort(byCode));
  });

  it('the table names exactly the answers that the dialect sends', () => {
    const sent = codes.filter((code) => !absent.includes(code)).flatMap((code) => answers[code]);
    const known = new Set([...sent, ...otherAnswers]);
    const named = new Set(rows.flatMap((row) => row.answers));
    expect([...named].filter((answer) => !known.has(answer))).toEqual([]);
    expect([...known].filter((answer) => !named.has(answer))).toEqual([]);
  });
});

it('the guide of Hub88 names every status that the code of the dialect contains', () => {
  const sources = new URL('hub88/', import.meta.url);
  const files = readdirSync(sources).filter((file) => !file.endsWith('.test.ts'));
  const texts = files.map((file) => readFileSync(new URL(file, sources), 'utf8'));
  const inCode = new Set(texts.flatMap((text) => text.match(/RS_(?:OK|ERROR_[A-Z_]+)/g) ?? []));
  const named = new Set(readTable('hub88', 'Statuses').flatMap(([statuses]) => quoted(statuses)));
  // This status belongs to the failure `game_not_found`, which does not occur in this dialect.
  expect([...inCode].filter((status) => !named.has(status))).toEqual(['RS_ERROR_INVALID_GAME']);
});
