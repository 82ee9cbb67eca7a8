// `set-balance` and `set-seller`: set the balance that an account shows, and whether the account may sell.
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import type { Command } from 'commander';
import { setSeller } from '../accounts/change-account.ts';
import { setBalance } from '../accounts/set-balance.ts';
import { addWorkspaceCommand, type CommandTools, findCaller, type OfWorkspace, runChange } from './tools.ts';

export function addSetBalanceCommand(program: Command, tools: CommandTools): void {
  addWorkspaceCommand(program, 'set-balance')
    .description("Set the balance that a workspace's account shows.")
    .requiredOption('--balance <amount>', "an exact amount in the account's currency")
    .action((given: OfWorkspace & { balance: string }) =>
      runChange(tools, given, async (tx) => {
        const caller = await findCaller(tx, given);
        const { balance } = given;
        const wanted = { caller, balance, currency: undefined, now: new Date() };
        const { currency } = await setBalance(tx, wanted);
        return { json: { balance, currency }, sentence: `The balance is ${balance} ${currency}.` };
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
      return runChange(tools, given, async (tx) => {
        const isSeller = seller === 'yes';
        await setSeller(tx, { caller: await findCaller(tx, given), isSeller, now: new Date() });
        const sentence = `The account is ${isSeller ? '' : 'not '}a seller.`;
        return { json: { is_seller: isSeller }, sentence };
      });
    });
}
