// `keys …`: lists, creates, imports, rotates and revokes the API keys of a workspace.
import { parseId } from '@counterfoil/kit/http/parameters';
import type { PageOptions } from '@counterfoil/kit/process/command-line/page-options';
import { printRows } from '@counterfoil/kit/process/command-line/print';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import { Argument, type Command, Option } from 'commander';
import { changeApiKey, revokeApiKey } from '../api-keys/change-api-key.ts';
import { createApiKey } from '../api-keys/create-api-key.ts';
import { listApiKeys } from '../api-keys/queries.ts';
import { rotateApiKey } from '../api-keys/rotate-api-key.ts';
import { allScopes, type Overlap, overlaps, presentApiKey, type Scope } from '../authentication/api-key.ts';
import { parseTime } from '../wire/input.ts';
import { presentNext, readPage } from '../wire/paging.ts';
import {
  addWorkspaceCommand,
  addWorkspaceList,
  type CommandTools,
  type OfWorkspace,
  runChange,
  runInWorkspace,
} from './tools.ts';

interface NewKeyOptions extends OfWorkspace {
  readonly name: string;
  readonly scopes?: string;
  readonly item?: string;
  readonly expires?: string;
  readonly test?: boolean;
  readonly publishable?: boolean;
}

export function addKeyCommands(program: Command, tools: CommandTools): void {
  const keys = program.command('keys').description('Manage the API keys of a workspace.');
  addList(keys, tools);
  addCreation(keys, tools);
  addRotation(keys, tools);
  addChanges(keys, tools);
}

function addList(keys: Command, tools: CommandTools): void {
  addWorkspaceList(keys)
    .description('List the keys of a workspace, newest first. The keys are masked.')
    .action((given: OfWorkspace & PageOptions) =>
      runInWorkspace(tools, given, async ({ db, caller: { workspaceId } }) => {
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

function addCreation(keys: Command, tools: CommandTools): void {
  const make = (given: NewKeyOptions, secret?: string) =>
    runChange(tools, given, async (tx, { masterKey }) => {
      const made = await createApiKey(tx, masterKey, { ...readWanted(given), secret });
      const shown = secret === undefined ? `\n${made.secret}` : '';
      return {
        json: { id: Number(made.id), ...(secret === undefined && { api_key: made.secret }) },
        sentence: `Key ${made.id} of workspace ${given.workspace} is active.${shown}`,
      };
    });

  addNewKey(keys, 'create')
    .option('--test', 'create a test key, which sees fixed test data and no live data')
    .option('--publishable', 'bind a test key without --item to the first test item')
    .description('Generate a key and print it.')
    .action((given: NewKeyOptions) => make(given));
  addNewKey(keys, 'import')
    .description('Import an existing key from standard input.')
    .action(async (given: NewKeyOptions) => make(given, (await tools.readInput()).trim()));
}

const addNewKey = (keys: Command, verb: string): Command =>
  addWorkspaceCommand(keys, verb)
    .requiredOption('--name <name>', 'the purpose of the key')
    .option('--scopes <list>', `one or more of ${allScopes.join(', ')}`)
    .option('--item <id>', 'make the key publishable and bind it to this item')
    .option('--expires <time>', 'the expiry, such as 2027-01-31T00:00:00Z');

function readWanted(given: NewKeyOptions) {
  const scopes = given.scopes?.split(',').map((each) => each.trim());
  const known: readonly string[] = allScopes;
  const unknown = scopes?.filter((scope) => !known.includes(scope)) ?? [];
  if (unknown.length > 0) throw new CommandRefused(`there is no scope ${unknown.join(', ')}`);
  return {
    workspaceId: parseId(given.workspace),
    actor: {},
    at: new Date(),
    name: given.name,
    isTest: given.test ?? false,
    kind: given.publishable ? ('publishable' as const) : undefined,
    scopes: scopes as Scope[] | undefined,
    itemId: given.item === undefined ? undefined : parseId(given.item),
    expiresAt: parseTime('expires', given.expires),
  };
}

/** The common input of commands that change a key. For an empty `actor`, the audit log names the operator. */
const targetOf = (id: string, given: OfWorkspace) => ({
  workspaceId: parseId(given.workspace),
  id: parseId(id),
  actor: {},
  at: new Date(),
});

function addRotation(keys: Command, tools: CommandTools): void {
  addWorkspaceCommand(keys, 'rotate')
    .argument('<key-id>')
    .description('Replace a key by a new one and print it. The old key works during the overlap.')
    .addOption(
      new Option('--overlap <time>', 'how long the old key still works')
        .choices(Object.keys(overlaps))
        .default('24h'),
    )
    .option('--expires <time>', "the expiry of the new key; by default the old key's expiry")
    .action((id: string, given: OfWorkspace & { overlap: Overlap; expires?: string }) =>
      runChange(tools, given, async (tx, { masterKey }) => {
        const expiresAt = parseTime('expires', given.expires);
        const rotation = { ...targetOf(id, given), overlap: given.overlap, expiresAt };
        const made = await rotateApiKey(tx, masterKey, rotation);
        const end = made.oldExpiresAt.toISOString();
        return {
          json: { id: Number(made.id), api_key: made.secret, old_id: Number(id), old_until: end },
          sentence: `Key ${made.id} replaces key ${id}, which ends at ${end}.\n${made.secret}`,
        };
      }),
    );
}

function addChanges(keys: Command, tools: CommandTools): void {
  addWorkspaceCommand(keys, 'revoke')
    .argument('<key-id>')
    .description('Revoke a key permanently. Every process refuses it within 5 seconds.')
    .action((id: string, given: OfWorkspace) =>
      runChange(tools, given, async (tx) => {
        await revokeApiKey(tx, targetOf(id, given));
        return { json: { id: Number(id), state: 'revoked' }, sentence: `Key ${id} is revoked.` };
      }),
    );
  addWorkspaceCommand(keys, 'legacy')
    .argument('<key-id>')
    .addArgument(new Argument('<switch>').choices(['on', 'off']))
    .description(
      'For old plug-ins: give the purchase under a top-level “item” too, and send refusals with HTTP 200.',
    )
    .action((id: string, wanted: string, given: OfWorkspace) =>
      runChange(tools, given, async (tx) => {
        const legacyItem = wanted === 'on';
        await changeApiKey(tx, { ...targetOf(id, given), legacyItem });
        const reader = legacyItem ? 'old plug-ins' : 'current clients';
        const sentence = `Key ${id} now gives answers for ${reader}.`;
        return { json: { id: Number(id), legacy_item: legacyItem }, sentence };
      }),
    );
}
