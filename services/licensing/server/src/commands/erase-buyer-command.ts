// `erase-buyer`: a buyer asked to be forgotten.
import { withJson } from '@counterfoil/kit/process/command-line/page-options';
import { printSentence } from '@counterfoil/kit/process/command-line/print';
import type { Command } from 'commander';
import { eraseBuyer } from '../buyers/erase-buyer.ts';
import {
  type CommandTools,
  findCaller,
  type OfWorkspace,
  parsePurchaseId,
  withWorkspace,
} from './tools.ts';

export function addEraseBuyerCommand(program: Command, tools: CommandTools): void {
  withJson(withWorkspace(program.command('erase-buyer')))
    .description("Erase a buyer's name and e-mail from a workspace's purchases, for good.")
    .option('--email <email>', "the buyer's e-mail")
    .option('--purchase <id>', 'instead of the e-mail: the buyer of this one purchase')
    .action((given: OfWorkspace & { email?: string; purchase?: string }) =>
      tools.run(async ({ db }) => {
        const caller = await findCaller(db, given);
        const { email } = given;
        const purchaseId =
          given.purchase === undefined ? undefined : parsePurchaseId(given.purchase);
        const count = await db.transaction((tx) =>
          eraseBuyer(tx, { caller, email, purchaseId, now: new Date() }),
        );
        printSentence(tools, given, {
          json: { purchases: count },
          sentence: `Erased from ${count} ${count === 1 ? 'purchase' : 'purchases'}.`,
        });
      }),
    );
}
