// wallet packages top-up: fund a package, or take funding back, once per transaction id.

import { formatMinor } from '@counterfoil/kit/money';
import { type OutputOptions, printFields } from '@counterfoil/kit/process/command-line/print';
import type { Command } from 'commander';
import { getSubject } from '../ledger/rules/movement.ts';
import { presentTopUp } from '../packages/credit/top-up.ts';
import { topUpPackage } from '../packages/credit/top-up-package.ts';
import type { CommandTools } from './command-tools.ts';
import { aim, onPackage } from './on-package.ts';

interface Given extends OutputOptions {
  readonly amount: string;
  readonly transactionId: string;
  readonly note: string;
  readonly reverse?: boolean;
}

export function addTopUp(packages: Command, tools: CommandTools): void {
  const topUp = onPackage('top-up', 'Fund a package, once per transaction id, for ever.')
    .requiredOption('--amount <amount>', 'such as 250.00')
    .requiredOption('--transaction-id <id>', 'your own; the same again changes nothing')
    .option('--note <note>', 'kept beside it', '')
    .option('--reverse', 'take the amount back instead');
  topUp.action(async (name: string, given: Given) => {
    await tools.run(async ({ db }) => {
      const { amount, transactionId, note } = given;
      const type = given.reverse ? 'top_up_reversal' : 'top_up';
      const wanted = { ...(await aim(db, name)), type, amount, transactionId, note } as const;
      const { movement, currency, duplicate } = await topUpPackage(db, wanted);
      const { balance } = getSubject(movement);
      printFields(tools, given, {
        json: { ...presentTopUp({ movement, note, currency }), duplicate },
        title: duplicate ? 'This was done before; nothing was changed:' : 'Done:',
        fields: [
          ['transaction_id', transactionId],
          ['amount', `${formatMinor(movement.amount, currency)} ${currency}`],
          ['credit after it', `${formatMinor(balance, currency)} ${currency}`],
        ],
      });
    });
  });
  packages.addCommand(topUp);
}
