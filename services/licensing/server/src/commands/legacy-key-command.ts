// `keys legacy KEY-ID on|off`: whether a key is answered as old plug-ins need it.

import { parseId } from '@counterfoil/kit/http/parameters';
import { withJson } from '@counterfoil/kit/process/command-line/page-options';
import { type OutputOptions, printSentence } from '@counterfoil/kit/process/command-line/print';
import { Argument, type Command } from 'commander';
import { changeApiKey } from '../api-keys/change-api-key.ts';
import type { KeyCommandTools } from './keys-command.ts';

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
