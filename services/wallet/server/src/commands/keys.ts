// wallet keys: lists, rotates and revokes the key pairs of a package.
import { parseId } from '@counterfoil/kit/http/parameters';
import { withJson } from '@counterfoil/kit/process/command-line/page-options';
import {
  type OutputOptions,
  printFields,
  printRows,
  printSentence,
} from '@counterfoil/kit/process/command-line/print';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import { type Command, Option } from 'commander';
import { revokeKeyPair, rotateKeyPair } from '../packages/credentials/change-key-pairs.ts';
import { defaultOverlap, type Overlap, overlapNames, presentPair } from '../packages/credentials/key-pair.ts';
import { listKeyPairs } from '../packages/credentials/queries.ts';
import type { KeyPurpose } from '../packages/customer-package.ts';
import { addForPackage, type CommandTools, type OfPackage, runOnPackage } from './command-tools.ts';

export interface Rotation extends OutputOptions {
  readonly purpose: KeyPurpose;
  readonly overlap: Overlap;
}

export function addKeys(program: Command, tools: CommandTools): void {
  const keys = program.command('keys').description('Manage the key pairs of a package.');
  const add = (verb: string, description: string) => withJson(addForPackage(keys, verb, description));
  add('list', 'List the key pairs of a package, newest first, without secrets.').action((given: OfPackage) =>
    list(tools, given),
  );
  withRotation(add('rotate', 'Replace a pair and print the new one.')).action((given: OfPackage & Rotation) =>
    rotate(tools, given.package, given),
  );
  add('revoke', 'Revoke a pair at once in every process.')
    .argument('<key-id>')
    .action((id: string, given: OfPackage) => revoke(tools, id, given));
}

export const withRotation = (command: Command): Command =>
  command
    .addOption(
      new Option('--purpose <purpose>', 'the purpose of the pair')
        .choices(['caller', 'callback'])
        .default('caller'),
    )
    .addOption(
      new Option('--overlap <time>', 'how long the old pair stays valid')
        .choices(overlapNames)
        .default(defaultOverlap),
    );

/** The prefix and the last four characters of an API key, which identify the key without revealing it. */
const hintOf = (apiKey: string) => `${/^[a-z_]+_/.exec(apiKey)?.[0] ?? ''}…${apiKey.slice(-4)}`;

const list = (tools: CommandTools, given: OfPackage): Promise<void> =>
  runOnPackage(tools, given.package, async ({ db, target: { packageId, at } }) => {
    const pairs = (await listKeyPairs(db, packageId)).map((pair) => presentPair(pair, at));
    printRows(tools, given, {
      json: { keys: pairs },
      head: ['ID', 'KEY', 'PURPOSE', 'STATE', 'CREATED', 'LAST USED', 'ENDS'],
      keep: ['ID', 'KEY', 'STATE'],
      rows: pairs.map((pair) => [
        String(pair.id),
        hintOf(pair.api_key),
        pair.purpose,
        pair.state,
        pair.created_at,
        pair.last_used_at ?? 'never',
        pair.revoked_at ?? pair.expires_at ?? 'never',
      ]),
    });
  });

export const rotate = (tools: CommandTools, name: string, given: Rotation): Promise<void> =>
  runOnPackage(tools, name, async ({ config, db, target }) => {
    const { purpose, overlap } = given;
    const rotation = { ...target, purpose, overlap };
    const made = await db.transaction((tx) => rotateKeyPair(tx, config.masterKey, rotation));
    const { apiKey, apiSecret } = made.pair;
    const until = made.oldUntil.toISOString();
    printFields(tools, given, {
      json: { purpose, api_key: apiKey, api_secret: apiSecret, old_until: until },
      title: `The new ${purpose} pair, which will not be shown again. Older pairs work until ${until}:`,
      fields: [
        ['api_key', apiKey],
        ['api_secret', apiSecret],
      ],
    });
  });

async function revoke(tools: CommandTools, id: string, given: OfPackage): Promise<void> {
  if (parseId(id) === 0n) throw new CommandRefused(`${id} is not the number of a key pair`);
  await runOnPackage(tools, given.package, async ({ db, target }) => {
    await db.transaction((tx) => revokeKeyPair(tx, { ...target, id: parseId(id) }));
    printSentence(tools, given, {
      json: { id: Number(id), state: 'revoked' },
      sentence: `Key pair ${id} is revoked.`,
    });
  });
}
