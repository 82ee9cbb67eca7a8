// `set-balance`: the figure that the account shows, as another system counts it.
import type { Command } from 'commander';
import { setBalance } from '../accounts/set-balance.ts';
import { getWorkspace } from '../workspaces/get-workspace.ts';
import { parseWorkspaceId, print, type Run } from './tools.ts';

export function addSetBalanceCommand(program: Command, run: Run): void {
  program
    .command('set-balance')
    .description("Set the balance that a workspace's account shows.")
    .requiredOption('--workspace <id>', 'the workspace')
    .requiredOption('--balance <amount>', "an exact amount in the account's currency")
    .action((given: { workspace: string; balance: string }) =>
      run(async ({ db }) => {
        const workspaceId = parseWorkspaceId(given.workspace);
        await getWorkspace(db, workspaceId);
        const caller = { workspaceId, actor: {} };
        const { balance } = given;
        const account = await db.transaction((tx) =>
          setBalance(tx, { caller, balance, currency: undefined, now: new Date() }),
        );
        print(`The balance is ${balance} ${account.currency}.`);
      }),
    );
}
