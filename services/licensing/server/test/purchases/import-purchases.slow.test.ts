// `import purchases` of large files: an import that is killed is completed later, and memory is limited.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, it } from 'vitest';
import { openCommand, type TestCommand } from '../environment/command.ts';
import { type Given, givenLicensing } from '../environment/given.ts';
import {
  importAtOnce,
  importTwice,
  importUnclosedQuote,
  importWithinMemory,
  killAndRepeat,
} from '../environment/import-trials.ts';

const masterKey = randomBytes(32).toString('base64');
let given: Given;
let command: TestCommand;

beforeAll(async () => {
  given = await givenLicensing({ MASTER_KEY: masterKey });
  command = await openCommand(given, masterKey);
});

afterAll(async () => {
  await command.close();
  await given.close();
});

it('an import of 20,000 rows that is killed and started again imports every row', () =>
  killAndRepeat(given, command, { rows: 20_000 }));

it('an import of 50,000 rows has at most two batches and one row in memory', () =>
  importWithinMemory(given, { rows: 50_000 }));

it.each([
  ['plain', 'Bo'],
  ['quoted', '"Ek, Bo"'],
])('an unclosed quote makes only one of 12,000 %s rows invalid', (_how, name) =>
  importUnclosedQuote(given, command, { rows: 12_000, name }),
);

it('two concurrent imports with rows in opposite orders both finish, in each of four repetitions', () =>
  importAtOnce(given, { rounds: 4, rows: 1500 }));

it.each([
  ['without', false],
  ['with', true],
])(
  'a dry run %s --update counts like an import if 4,500 rows are between two rows with the same code',
  (_how, update) => importTwice(given, command, { between: 4500, update }),
);
