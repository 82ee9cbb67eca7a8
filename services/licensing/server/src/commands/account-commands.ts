// `set-balance` and `set-seller`: set the balance that an account shows, and whether it may sell.
import { printSentence } from '@counterfoil/kit/process/command-line/print';
import { CommandRefused } from '@counterfoil/kit/process/command-refused';
import type { Command } from 'commander';
import { setSeller } from '../accounts/change-account.ts';
import { setBalance } from '../accounts/set-balance.ts';
import { addWorkspaceCommand, type CommandTools, type OfWorkspace, runInWorkspace } from './tools.ts';

export function addSetBalanceCommand(program: Command, tools: CommandTools): void {
  addWorkspaceCommand(program, 'set-balance')
    .description("Set the balance that a workspace's account shows.")
    .requiredOption('--balance <amount>', "an exact amount in the account's currency")
    .action((given: OfWorkspace & { balance: string }) =>
      runInWorkspace(tools, given, async ({ db, caller }) => {
        const { balance } = given;
        const wanted = { caller, balance, currency: undefined, now: new Date() };
        const account = await db.transaction((tx) => setBalance(tx, wanted));
        printSentence(tools, given, {
          json: { balance, currency: account.currency },
          sentence: `The balance is ${balance} ${account.currency}.`,
        });
      }),
    );
}

export function addSetSellerCommand(program: Command, tools: CommandTools): void {
  addWorkspaceCommand(program, 'set-seller')
    .description(
      "Set whether a workspace's account is a seller. " +
        'Purchase codes of an account that is not a seller are refused.',
    )
    .requiredOption('--seller <yes|no>', 'whether the account is a seller')
    .action((given: OfWorkspace & { seller: string }) => {
      const { seller } = given;
      if (seller !== 'yes' && seller !== 'no') throw new CommandRefused('--seller takes yes or no');
      return runInWorkspace(tools, given, async ({ db, caller }) => {
        const isSeller = seller === 'yes';
        await db.transaction((tx) => setSeller(tx, { caller, isSeller, now: new Date() }));
        printSentence(tools, given, {
          json: { is_seller: isSeller },
          sentence: `The account is ${isSeller ? '' : 'not '}a seller.`,
        });
      });
    });
}
