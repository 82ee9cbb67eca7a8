// wallet packages edit and wallet packages top-up: change the settings and the funding of a package.

import { formatMinor, type Unit } from '@counterfoil/kit/money';
import { type OutputOptions, printFields } from '@counterfoil/kit/process/command-line/print';
import { type Command, Option } from 'commander';
import { getSubject } from '../ledger/rules/movement.ts';
import { presentTopUp } from '../packages/credit/top-up.ts';
import { topUpPackage } from '../packages/credit/top-up-package.ts';
import { editPackage } from '../packages/edit-package.ts';
import { presentPackage } from '../packages/managed-package.ts';
import { getManagedPackage } from '../packages/queries.ts';
import { addOnPackage, type CommandTools, runOnPackage } from './command-tools.ts';

type Given = OutputOptions & { readonly sharedLaunch?: 'on' | 'off'; readonly maxStake?: string };

export function addPackageEdit(packages: Command, tools: CommandTools): void {
  const edit = addOnPackage(packages, 'edit', "Change a package's settings.").addOption(
    new Option(
      '--shared-launch <on|off>',
      "use the provider's shared session if its private launch is unavailable",
    ).choices(['on', 'off']),
  );
  edit.option('--max-stake <amount>', 'the largest bet, such as 100.00, or none');
  edit.action((name: string, given: Given) =>
    runOnPackage(tools, name, async ({ db, target }) => {
      const { sharedLaunch, maxStake } = given;
      const sent = {
        ...(sharedLaunch !== undefined && { shared_launch: sharedLaunch === 'on' }),
        ...(maxStake !== undefined && { max_stake: readLimit(maxStake) }),
      };
      await db.transaction((tx) => editPackage(tx, target, sent));
      const found = await getManagedPackage(db, target.packageId);
      printFields(tools, given, {
        json: presentPackage(found, target.at),
        title: `The settings of ${found.name}:`,
        fields: [
          ['uid', found.uid],
          ['shared launch', found.sharedLaunch ? 'on' : 'off'],
          ['maximum stake', formatLimit(found.maxStake, found)],
        ],
      });
    }),
  );
}

/** The word `none` removes a limit. */
export const readLimit = (text: string): string | null => (text === 'none' ? null : text);

export const formatLimit = (limit: bigint | undefined, unit: Unit): string =>
  limit === undefined ? 'none' : `${formatMinor(limit, unit)} ${unit.currency}`;

interface TopUpGiven extends OutputOptions {
  readonly amount: string;
  readonly transactionId: string;
  readonly note: string;
  readonly reverse?: boolean;
}

export function addTopUp(packages: Command, tools: CommandTools): void {
  const topUp = addOnPackage(packages, 'top-up', 'Top up a package, once per transaction id.')
    .requiredOption('--amount <amount>', 'such as 250.00')
    .requiredOption('--transaction-id <id>', 'your own id; a repeat changes nothing')
    .option('--note <note>', 'stored with the top-up', '')
    .option('--reverse', 'reverse a top-up instead');
  topUp.action((name: string, given: TopUpGiven) =>
    runOnPackage(tools, name, async ({ db, target }) => {
      const { amount, transactionId, note } = given;
      const type = given.reverse ? 'top_up_reversal' : 'top_up';
      const wanted = { ...target, type, amount, transactionId, note } as const;
      const { movement, unit, duplicate } = await topUpPackage(db, wanted);
      const { balance } = getSubject(movement);
      printFields(tools, given, {
        json: { ...presentTopUp({ movement, note, unit }), duplicate },
        title: duplicate ? 'This top-up was applied before; nothing was changed:' : 'Applied:',
        fields: [
          ['transaction_id', transactionId],
          ['amount', `${formatMinor(movement.amount, unit)} ${unit.currency}`],
          ['credit after it', `${formatMinor(balance, unit)} ${unit.currency}`],
        ],
      });
    }),
  );
}
