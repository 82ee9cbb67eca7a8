// `keys …`: what an operator does with a workspace's API keys, noted in its audit log as theirs.
import type { Db } from '@counterfoil/kit/db';
import { CommandRefused } from '@counterfoil/kit/local-environment';
import type { MasterKey } from '@counterfoil/kit/secrets';
import { type Command, Option } from 'commander';
import {
  allScopes,
  type ListedApiKey,
  type Overlap,
  overlaps,
  presentApiKey,
  type Scope,
} from '../api-keys/api-key.ts';
import { createApiKey } from '../api-keys/create-api-key.ts';
import { listApiKeys } from '../api-keys/list-api-keys.ts';
import { revokeApiKey } from '../api-keys/revoke-api-key.ts';
import { rotateApiKey } from '../api-keys/rotate-api-key.ts';
import { parseId } from '../parse-id.ts';
import { parseTime } from '../parse-time.ts';
import { getWorkspace } from '../workspaces/get-workspace.ts';
import { addLegacyKeyCommand } from './legacy-key-command.ts';

export interface KeyCommandTools {
  readonly run: (
    work: (tools: { db: Db; config: { masterKey: MasterKey } }) => Promise<void>,
  ) => Promise<void>;
  readonly print: (line: string) => void;
  /** All of standard input: a key has no place on a command line, which others can see. */
  readonly readInput: () => Promise<string>;
}

interface NewKeyOptions {
  readonly workspace: string;
  readonly name: string;
  readonly scopes?: string;
  readonly item?: string;
  readonly expires?: string;
  readonly test?: boolean;
  readonly publishable?: boolean;
}

const pageSize = 100;
const operator = {};

export function addKeyCommands(program: Command, tools: KeyCommandTools): void {
  const keys = program.command('keys').description("Workspaces' API keys.");
  addListing(keys, tools);
  addMaking(keys, tools);
  addEnding(keys, tools);
  addLegacyKeyCommand(keys, tools);
}

function addListing(keys: Command, { run, print }: KeyCommandTools): void {
  keys
    .command('list')
    .description('List the keys of a workspace, the newest first.')
    .requiredOption('--workspace <id>', 'the workspace')
    .action((given: { workspace: string }) =>
      run(async ({ db }) => {
        const workspaceId = parseId(given.workspace);
        await getWorkspace(db, workspaceId);
        for (let after: bigint[] = []; ; ) {
          const page = await listApiKeys(db, workspaceId, { limit: pageSize, after });
          for (const key of page) print(describe(key));
          const last = page.at(-1);
          if (page.length < pageSize || !last) return;
          after = [last.id];
        }
      }),
    );
}

function describe(key: ListedApiKey): string {
  const shown = presentApiKey(key, new Date());
  return [
    shown.id,
    shown.state,
    shown.hint,
    shown.name,
    shown.scopes.join(','),
    `created ${shown.created_at}`,
    `expires ${shown.expires_at ?? 'never'}`,
    shown.last_used
      ? `last used ${shown.last_used.at} from ${shown.last_used.address}`
      : 'never used',
  ].join('  ');
}

function addMaking(keys: Command, { run, print, readInput }: KeyCommandTools): void {
  const make = (given: NewKeyOptions, secret?: string) =>
    run(async ({ db, config }) => {
      const made = await db.transaction((tx) =>
        createApiKey(tx, config.masterKey, { ...readWanted(given), secret }),
      );
      const what = secret === undefined ? `\n${made.secret}` : ' It works from now on.';
      print(`Key ${made.id} of workspace ${given.workspace} is there.${what}`);
    });

  withNewKeyOptions(keys.command('create'))
    .option('--test', 'a test key: it sees fixed test data, and never live data')
    .option('--publishable', 'of a test key without --item: bind it to the first test item')
    .description('Generate a key and print it.')
    .action((given: NewKeyOptions) => make(given));
  withNewKeyOptions(keys.command('import'))
    .description('Take in an existing key as it is, from standard input.')
    .action(async (given: NewKeyOptions) => make(given, (await readInput()).trim()));
}

const withNewKeyOptions = (command: Command): Command =>
  command
    .requiredOption('--workspace <id>', 'the workspace')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--scopes <list>', `of ${allScopes.join(',')}`)
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

function addEnding(keys: Command, { run, print }: KeyCommandTools): void {
  const target = (id: string, workspace: string) => ({
    workspaceId: parseId(workspace),
    id: parseId(id),
    actor: operator,
    at: new Date(),
  });
  const names = Object.keys(overlaps);
  keys
    .command('rotate')
    .description('Replace a key by a new one and print that; the old one works for an overlap.')
    .argument('<key-id>')
    .requiredOption('--workspace <id>', 'the workspace')
    .addOption(new Option('--overlap <time>', 'how long').choices(names).default('24h'))
    .option('--expires <time>', 'when the new one ends; where not given, when the old one would')
    .action((id: string, given: { workspace: string; overlap: Overlap; expires?: string }) =>
      run(async ({ db, config }) => {
        const expiresAt = readExpiry(given.expires);
        const rotation = { ...target(id, given.workspace), overlap: given.overlap, expiresAt };
        const made = await db.transaction((tx) => rotateApiKey(tx, config.masterKey, rotation));
        const end = made.oldExpiresAt.toISOString();
        print(`Key ${made.id} replaces key ${id}, which ends at ${end}.\n${made.secret}`);
      }),
    );
  keys
    .command('revoke')
    .description('End a key for good, everywhere within 5 seconds.')
    .argument('<key-id>')
    .requiredOption('--workspace <id>', 'the workspace')
    .action((id: string, given: { workspace: string }) =>
      run(async ({ db }) => {
        await db.transaction((tx) => revokeApiKey(tx, target(id, given.workspace)));
        print(`Key ${id} is revoked.`);
      }),
    );
}
