// `keys …`: manages the API keys of a workspace; the audit log names the operator as the actor.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { parseId } from '@counterfoil/kit/http/parameters';
import type { Db } from '@counterfoil/kit/postgres/db';
import { type PageOptions, withJson } from '@counterfoil/kit/process/command-line/page-options';
import {
  type OutputOptions,
  printRows,
  printSentence,
  type Terminal,
} from '@counterfoil/kit/process/command-line/print';
import { CommandRefused } from '@counterfoil/kit/process/command-refused';
import { Argument, type Command, Option } from 'commander';
import { changeApiKey, revokeApiKey } from '../api-keys/change-api-key.ts';
import { createApiKey } from '../api-keys/create-api-key.ts';
import { listApiKeys } from '../api-keys/queries.ts';
import { rotateApiKey } from '../api-keys/rotate-api-key.ts';
import {
  allScopes,
  type Overlap,
  overlaps,
  presentApiKey,
  type Scope,
} from '../authentication/api-key.ts';
import { parseTime } from '../wire/input.ts';
import { presentNext, readPage } from '../wire/paging.ts';
import { findCaller, type OfWorkspace, withNumberedPage, withWorkspace } from './tools.ts';

export interface KeyCommandTools extends Terminal {
  readonly run: (
    work: (tools: { db: Db; config: { masterKey: MasterKey } }) => Promise<void>,
  ) => Promise<void>;
  /** Reads standard input: a key must not be an argument, because other users can see those. */
  readonly readInput: () => Promise<string>;
}

interface NewKeyOptions extends OutputOptions {
  readonly workspace: string;
  readonly name: string;
  readonly scopes?: string;
  readonly item?: string;
  readonly expires?: string;
  readonly test?: boolean;
  readonly publishable?: boolean;
}

const operator = {};

export function addKeyCommands(program: Command, tools: KeyCommandTools): void {
  const keys = program.command('keys').description("Workspaces' API keys.");
  addListing(keys, tools);
  addMaking(keys, tools);
  addEnding(keys, tools);
  addLegacyKeyCommand(keys, tools);
}

function addListing(keys: Command, tools: KeyCommandTools): void {
  withNumberedPage(withWorkspace(keys.command('list')))
    .description('List the keys of a workspace, the newest first; masked.')
    .action((given: OfWorkspace & PageOptions) =>
      tools.run(async ({ db }) => {
        const { workspaceId } = await findCaller(db, given);
        const page = readPage(given);
        const found = await listApiKeys(db, workspaceId, page);
        const { next_cursor } = presentNext(page, found, ({ id }) => [id]);
        const now = new Date();
        const shown = found.map((key) => presentApiKey(key, now));
        printRows(tools, given, {
          json: { keys: shown, next_cursor: next_cursor ?? null },
          head: ['ID', 'STATE', 'KEY', 'NAME', 'SCOPES', 'EXPIRES', 'LAST USED'],
          keep: ['ID', 'STATE', 'KEY'],
          rows: shown.map(describe),
          next: next_cursor,
        });
      }),
    );
}

const describe = (key: ReturnType<typeof presentApiKey>): string[] => [
  String(key.id),
  key.state,
  key.hint,
  key.legacy_item ? `${key.name} (old plug-ins)` : key.name,
  key.scopes.join(','),
  key.expires_at ?? 'never',
  key.last_used ? `${key.last_used.at} from ${key.last_used.address}` : 'never',
];

function addMaking(keys: Command, tools: KeyCommandTools): void {
  const make = (given: NewKeyOptions, secret?: string) =>
    tools.run(async ({ db, config }) => {
      const made = await db.transaction((tx) =>
        createApiKey(tx, config.masterKey, { ...readWanted(given), secret }),
      );
      const what = secret === undefined ? `\n${made.secret}` : ' It works from now on.';
      printSentence(tools, given, {
        json: { id: Number(made.id), ...(secret === undefined && { api_key: made.secret }) },
        sentence: `Key ${made.id} of workspace ${given.workspace} is there.${what}`,
      });
    });

  withNewKeyOptions(keys.command('create'))
    .option('--test', 'a test key: it sees fixed test data, and never live data')
    .option('--publishable', 'of a test key without --item: bind it to the first test item')
    .description('Generate a key and print it.')
    .action((given: NewKeyOptions) => make(given));
  withNewKeyOptions(keys.command('import'))
    .description('Take in an existing key as it is, from standard input.')
    .action(async (given: NewKeyOptions) => make(given, (await tools.readInput()).trim()));
}

const withNewKeyOptions = (command: Command): Command =>
  withJson(withWorkspace(command))
    .requiredOption('--name <name>', 'what the key is for')
    .option('--scopes <list>', `of ${allScopes.join(', ')}`)
    .option('--item <id>', 'make it publishable, for this item alone')
    .option('--expires <time>', 'when it ends, such as 2027-01-31T00:00:00Z');

function readWanted(given: NewKeyOptions) {
  const scopes = given.scopes?.split(',').map((each) => each.trim());
  const known: readonly string[] = allScopes;
  const unknown = scopes?.filter((scope) => !known.includes(scope)) ?? [];
  if (unknown.length > 0) throw new CommandRefused(`there is no scope ${unknown.join(', ')}`);
  return {
    workspaceId: parseId(given.workspace),
    actor: operator,
    at: new Date(),
    name: given.name,
    isTest: given.test ?? false,
    kind: given.publishable ? ('publishable' as const) : undefined,
    scopes: scopes as Scope[] | undefined,
    itemId: given.item === undefined ? undefined : parseId(given.item),
    expiresAt: readExpiry(given.expires),
  };
}

const readExpiry = (given: string | undefined) =>
  given === undefined ? undefined : parseTime('expires', given);

function addEnding(keys: Command, tools: KeyCommandTools): void {
  const { run } = tools;
  const target = (id: string, workspace: string) => ({
    workspaceId: parseId(workspace),
    id: parseId(id),
    actor: operator,
    at: new Date(),
  });
  const names = Object.keys(overlaps);
  withJson(keys.command('rotate'))
    .description('Replace a key by a new one and print that; the old one works for an overlap.')
    .argument('<key-id>')
    .requiredOption('--workspace <id>', 'the workspace')
    .addOption(new Option('--overlap <time>', 'how long').choices(names).default('24h'))
    .option('--expires <time>', 'when the new one ends; where not given, when the old one would')
    .action((id: string, given: OfWorkspace & { overlap: Overlap; expires?: string }) =>
      run(async ({ db, config }) => {
        const expiresAt = readExpiry(given.expires);
        const rotation = { ...target(id, given.workspace), overlap: given.overlap, expiresAt };
        const made = await db.transaction((tx) => rotateApiKey(tx, config.masterKey, rotation));
        const end = made.oldExpiresAt.toISOString();
        printSentence(tools, given, {
          json: { id: Number(made.id), api_key: made.secret, old_id: Number(id), old_until: end },
          sentence: `Key ${made.id} replaces key ${id}, which ends at ${end}.\n${made.secret}`,
        });
      }),
    );
  withJson(keys.command('revoke'))
    .description('End a key for good, everywhere within 5 seconds.')
    .argument('<key-id>')
    .requiredOption('--workspace <id>', 'the workspace')
    .action((id: string, given: OfWorkspace) =>
      run(async ({ db }) => {
        await db.transaction((tx) => revokeApiKey(tx, target(id, given.workspace)));
        printSentence(tools, given, {
          json: { id: Number(id), state: 'revoked' },
          sentence: `Key ${id} is revoked.`,
        });
      }),
    );
}

export function addLegacyKeyCommand(keys: Command, tools: KeyCommandTools): void {
  withJson(keys.command('legacy'))
    .description(
      'For old plug-ins: give the purchase under a top-level “item” too, and answer refusals with HTTP 200.',
    )
    .argument('<key-id>')
    .addArgument(new Argument('<switch>').choices(['on', 'off']))
    .requiredOption('--workspace <id>', 'the workspace')
    .action((id: string, wanted: string, given: OutputOptions & { workspace: string }) =>
      tools.run(async ({ db }) => {
        const legacyItem = wanted === 'on';
        const workspaceId = parseId(given.workspace);
        const target = { workspaceId, id: parseId(id), actor: {}, at: new Date() };
        await db.transaction((tx) => changeApiKey(tx, { ...target, legacyItem }));
        const sentence = `Key ${id} answers ${legacyItem ? 'as old plug-ins need it' : 'as it should'}.`;
        const json = { id: Number(id), legacy_item: legacyItem };
        printSentence(tools, given, { json, sentence });
      }),
    );
}
