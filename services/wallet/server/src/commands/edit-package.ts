// wallet packages edit: change a package's settings without the panel.
import { type OutputOptions, printFields } from '@counterfoil/kit/process/command-line/print';
import { type Command, Option } from 'commander';
import { editPackage } from '../packages/edit-package.ts';
import { presentPackage } from '../packages/managed-package.ts';
import { getManagedPackage } from '../packages/queries.ts';
import type { CommandTools } from './command-tools.ts';
import { aim, onPackage } from './on-package.ts';

type Given = OutputOptions & { readonly sharedLaunch?: 'on' | 'off' };

export function addPackageEdit(packages: Command, tools: CommandTools): void {
  const edit = onPackage('edit', "Change a package's settings.").addOption(
    new Option(
      '--shared-launch <on|off>',
      "use the provider's shared session when its private launch cannot be had",
    ).choices(['on', 'off']),
  );
  edit.action(async (name: string, given: Given) => {
    await tools.run(async ({ db }) => {
      const target = await aim(db, name);
      const { sharedLaunch } = given;
      const sent = sharedLaunch === undefined ? {} : { shared_launch: sharedLaunch === 'on' };
      await db.transaction((tx) => editPackage(tx, target, sent));
      const found = await getManagedPackage(db, target.packageId);
      printFields(tools, given, {
        json: presentPackage(found, target.at),
        title: `${found.name} as it stands:`,
        fields: [
          ['uid', found.uid],
          ['shared launch', found.sharedLaunch ? 'on' : 'off'],
        ],
      });
    });
  });
  packages.addCommand(edit);
}
