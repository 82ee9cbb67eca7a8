// `set-seller`: stops an account's selling, or lets it go on.
import { CommandRefused } from '@counterfoil/kit/local-environment';
import type { Command } from 'commander';
import { setSeller } from '../accounts/set-seller.ts';
import { getWorkspace } from '../workspaces/get-workspace.ts';
import { parseWorkspaceId, print, type Run } from './tools.ts';

export function addSetSellerCommand(program: Command, run: Run): void {
  program
    .command('set-seller')
    .description(
      "Say whether a workspace's account is a seller; purchase codes of one that is not are refused.",
    )
    .requiredOption('--workspace <id>', 'the workspace')
    .requiredOption('--seller <yes|no>', 'whether it is one')
    .action((given: { workspace: string; seller: string }) => {
      const { seller } = given;
      if (seller !== 'yes' && seller !== 'no') throw new CommandRefused('--seller takes yes or no');
      return run(async ({ db }) => {
        const workspaceId = parseWorkspaceId(given.workspace);
        await getWorkspace(db, workspaceId);
        const caller = { workspaceId, actor: {} };
        const isSeller = seller === 'yes';
        await db.transaction((tx) => setSeller(tx, { caller, isSeller, now: new Date() }));
        print(`The account is ${isSeller ? 'a' : 'no'} seller.`);
      });
    });
}
