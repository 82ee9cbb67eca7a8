// wallet packages: list them, and change their state and credentials.
import { formatMinor } from '@counterfoil/kit/money';
import { type Command, Option } from 'commander';
import { approvePackage } from '../customer-packages/approve-package.ts';
import { createSandbox } from '../customer-packages/create-sandbox.ts';
import { findAlertLevel } from '../customer-packages/credit.ts';
import type { KeyPurpose } from '../customer-packages/customer-package.ts';
import { getManagedPackage } from '../customer-packages/get-managed-package.ts';
import { listPackages } from '../customer-packages/list-packages.ts';
import { presentPackage } from '../customer-packages/managed-package.ts';
import { type Overlap, overlapNames, usualOverlap } from '../customer-packages/overlap.ts';
import { resumePackage } from '../customer-packages/resume-package.ts';
import { rotateKeyPair } from '../customer-packages/rotate-key-pair.ts';
import { suspendPackage } from '../customer-packages/suspend-package.ts';
import { type CommandTools, type OutputOptions, printFields, printRows } from './command-tools.ts';
import { addPackageCreation, printIssued } from './create-package.ts';
import { addPackageEdit } from './edit-package.ts';
import { aim, onPackage } from './on-package.ts';
import { addTopUp } from './top-up.ts';

export function addPackages(program: Command, tools: CommandTools): void {
  const packages = program.command('packages').description("Customers' packages.");
  addList(packages, tools);
  addPackageCreation(packages, tools);
  for (const [verb, description, change] of [
    ['approve', "Let a pending package's calls through.", approvePackage],
    ['suspend', 'Stop a package from giving out money.', suspendPackage],
    ['resume', 'Take a suspension back.', resumePackage],
  ] as const) {
    packages.addCommand(
      onPackage(verb, description).action(async (name: string, given: OutputOptions) => {
        await tools.run(async ({ db }) => {
          const target = await aim(db, name);
          await db.transaction((tx) => change(tx, target));
          const found = await getManagedPackage(db, target.packageId);
          printFields(tools, given, {
            json: presentPackage(found, target.at),
            title: `${found.name} is ${found.state}.`,
            fields: [['uid', found.uid]],
          });
        });
      }),
    );
  }
  addPackageEdit(packages, tools);
  addTopUp(packages, tools);
  addRotation(packages, tools);
  addSandbox(packages, tools);
}

function addList(packages: Command, tools: CommandTools): void {
  packages
    .command('list')
    .description('List all packages, newest first.')
    .option('--json', 'print JSON')
    .action(async (given: OutputOptions) => {
      await tools.run(async ({ db }) => {
        const found = [];
        for (let before: bigint | undefined; ; ) {
          const page = await listPackages(db, { limit: 100, before });
          found.push(...page);
          const last = page.at(-1);
          if (page.length < 100 || !last) break;
          before = BigInt(last.id);
        }
        const now = new Date();
        printRows(tools, given, {
          json: found.map((each) => presentPackage(each, now)),
          head: ['ID', 'UID', 'NAME', 'STATE', 'CREDIT', '', 'ALERT'],
          rows: found.map((each) => [
            String(each.id),
            each.uid,
            each.sandboxOf === undefined
              ? each.name
              : `${each.name} (sandbox of ${each.sandboxOf})`,
            each.state,
            formatMinor(each.credit, each.currency),
            each.currency,
            findAlertLevel(each, each.credit) ?? '',
          ]),
        });
      });
    });
}

function addRotation(packages: Command, tools: CommandTools): void {
  const rotation = onPackage('rotate-keys', 'Replace a key pair; the old one works for an overlap.')
    .addOption(new Option('--purpose <purpose>').choices(['caller', 'callback']).default('caller'))
    .addOption(new Option('--overlap <time>').choices(overlapNames).default(usualOverlap));
  type Given = OutputOptions & { purpose: KeyPurpose; overlap: Overlap };
  rotation.action(async (name: string, given: Given) => {
    await tools.run(async ({ db, config }) => {
      const { purpose, overlap } = given;
      const target = { ...(await aim(db, name)), purpose, overlap };
      const made = await db.transaction((tx) => rotateKeyPair(tx, config.masterKey, target));
      const { apiKey, apiSecret } = made.pair;
      const until = made.oldUntil.toISOString();
      printFields(tools, given, {
        json: { purpose, api_key: apiKey, api_secret: apiSecret, old_until: until },
        title: `The new ${purpose} pair, shown this once; older ones end by ${until}:`,
        fields: [
          ['api_key', apiKey],
          ['api_secret', apiSecret],
        ],
      });
    });
  });
  packages.addCommand(rotation);
}

function addSandbox(packages: Command, tools: CommandTools): void {
  const sandbox = onPackage('sandbox', 'Give a package its twin for tests, with play money.');
  sandbox.action(async (name: string, given: OutputOptions) => {
    await tools.run(async ({ db, config }) => {
      const target = await aim(db, name);
      const twin = await db.transaction((tx) => createSandbox(tx, config.masterKey, target));
      printIssued(tools, given, { issued: twin, title: 'The sandbox, with play money:' });
    });
  });
  packages.addCommand(sandbox);
}
