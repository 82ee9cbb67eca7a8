// `signing-keys …`: lists and rotates the keys that sign licences and answers.
import { printRows, printSentence } from '@counterfoil/kit/process/command-line/print';
import { type Command, InvalidArgumentError } from 'commander';
import { selectSigningKeys } from '../signing-keys/queries.ts';
import { maxNoticeDays, maxOverlapDays, rotateSigningKey } from '../signing-keys/rotate-signing-key.ts';
import { presentSigningKeys } from '../signing-keys/signing-key.ts';
import { addWorkspaceCommand, type CommandTools, type OfWorkspace, runInWorkspace } from './tools.ts';

interface Rotation extends OfWorkspace {
  readonly noticeDays: number;
  readonly overlapDays: number;
}

export function addSigningKeyCommands(program: Command, tools: CommandTools): void {
  const keys = program.command('signing-keys').description('Manage the keys that sign licences and answers.');
  addWorkspaceCommand(keys, 'list')
    .description('List the signing keys of a workspace, newest first.')
    .action((given: OfWorkspace) =>
      runInWorkspace(tools, given, async ({ db, caller: { workspaceId } }) => {
        const shown = presentSigningKeys(await selectSigningKeys(db, workspaceId), new Date());
        printRows(tools, given, {
          json: { signing_keys: shown },
          head: ['ID', 'STATE', 'KID', 'SIGNS FROM', 'PUBLIC UNTIL'],
          keep: ['ID', 'STATE', 'KID'],
          rows: shown.map((key) => [
            String(key.id),
            key.state,
            key.kid,
            key.signs_from,
            key.published_until || 'rotation',
          ]),
          next: undefined,
        });
      }),
    );
  addRotation(keys, tools);
}

const readDays = (maximum: number) => (text: string) => {
  if (/^\d{1,3}$/.test(text) && Number(text) <= maximum) return Number(text);
  throw new InvalidArgumentError(`It must be a number of days from 0 to ${maximum}.`);
};

function addRotation(keys: Command, tools: CommandTools): void {
  addWorkspaceCommand(keys, 'rotate')
    .description('Create the signing key of a workspace, or replace it by a new one.')
    .option(
      '--notice-days <days>',
      'how long the new key is public before it signs',
      readDays(maxNoticeDays),
      0,
    )
    .option(
      '--overlap-days <days>',
      'how long the old key stays public afterwards',
      readDays(maxOverlapDays),
      maxOverlapDays,
    )
    .action((given: Rotation) =>
      runInWorkspace(tools, given, async ({ db, config, caller }) => {
        const at = new Date();
        const { noticeDays, overlapDays } = given;
        const rotation = { ...caller, at, noticeDays, overlapDays };
        await db.transaction((tx) => rotateSigningKey(tx, config.masterKey, rotation));
        const shown = presentSigningKeys(await selectSigningKeys(db, caller.workspaceId), at);
        const newest = shown.find(({ state }) => state === 'next') ?? shown[0];
        const sentence = `Key ${newest?.kid} signs from ${newest?.signs_from}.`;
        printSentence(tools, given, { json: { signing_keys: shown }, sentence });
      }),
    );
}
