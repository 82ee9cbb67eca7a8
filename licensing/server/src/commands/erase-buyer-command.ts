// `erase-buyer`: a buyer asked to be forgotten.
import type { Command } from 'commander';
import { eraseBuyer } from '../purchases/erase-buyer.ts';
import { getWorkspace } from '../workspaces/get-workspace.ts';
import { parsePurchaseId, parseWorkspaceId, print, type Run } from './tools.ts';

export function addEraseBuyerCommand(program: Command, run: Run): void {
  program
    .command('erase-buyer')
    .description("Erase a buyer's name and e-mail from a workspace's purchases, for good.")
    .requiredOption('--workspace <id>', 'the workspace')
    .option('--email <email>', "the buyer's e-mail")
    .option('--purchase <id>', 'instead of the e-mail: the buyer of this one purchase')
    .action((given: { workspace: string; email?: string; purchase?: string }) =>
      run(async ({ db }) => {
        const workspaceId = parseWorkspaceId(given.workspace);
        await getWorkspace(db, workspaceId);
        const caller = { workspaceId, actor: {} };
        const { email } = given;
        const purchaseId =
          given.purchase === undefined ? undefined : parsePurchaseId(given.purchase);
        const count = await db.transaction((tx) =>
          eraseBuyer(tx, { caller, email, purchaseId, now: new Date() }),
        );
        print(`Erased from ${count} ${count === 1 ? 'purchase' : 'purchases'}.`);
      }),
    );
}
