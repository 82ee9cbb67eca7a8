// `set-balance` and `set-seller`: the balance that an account shows, and whether it may sell.
import { withJson } from '@counterfoil/kit/process/command-line/page-options';
import { printSentence } from '@counterfoil/kit/process/command-line/print';
import { CommandRefused } from '@counterfoil/kit/process/command-refused';
import type { Command } from 'commander';
import { setSeller } from '../accounts/change-account.ts';
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

export function addSetSellerCommand(program: Command, tools: CommandTools): void {
  withJson(withWorkspace(program.command('set-seller')))
    .description(
      "Say whether a workspace's account is a seller; purchase codes of one that is not are refused.",
    )
    .requiredOption('--seller <yes|no>', 'whether it is one')
    .action((given: OfWorkspace & { seller: string }) => {
      const { seller } = given;
      if (seller !== 'yes' && seller !== 'no') throw new CommandRefused('--seller takes yes or no');
      return tools.run(async ({ db }) => {
        const caller = await findCaller(db, given);
        const isSeller = seller === 'yes';
        await db.transaction((tx) => setSeller(tx, { caller, isSeller, now: new Date() }));
        printSentence(tools, given, {
          json: { is_seller: isSeller },
          sentence: `The account is ${isSeller ? 'a' : 'no'} seller.`,
        });
      });
    });
}
