// `set-balance`: the figure that the account shows, as another system counts it.
import { withJson } from '@counterfoil/kit/process/command-line/page-options';
import { printSentence } from '@counterfoil/kit/process/command-line/print';
import type { Command } from 'commander';
import { setBalance } from '../accounts/set-balance.ts';
import { type CommandTools, findCaller, type OfWorkspace, withWorkspace } from './tools.ts';

export function addSetBalanceCommand(program: Command, tools: CommandTools): void {
  withJson(withWorkspace(program.command('set-balance')))
    .description("Set the balance that a workspace's account shows.")
    .requiredOption('--balance <amount>', "an exact amount in the account's currency")
    .action((given: OfWorkspace & { balance: string }) =>
      tools.run(async ({ db }) => {
        const caller = await findCaller(db, given);
        const { balance } = given;
        const account = await db.transaction((tx) =>
          setBalance(tx, { caller, balance, currency: undefined, now: new Date() }),
        );
        printSentence(tools, given, {
          json: { balance, currency: account.currency },
          sentence: `The balance is ${balance} ${account.currency}.`,
        });
      }),
    );
}
