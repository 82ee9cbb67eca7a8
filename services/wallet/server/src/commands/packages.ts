// wallet packages: lists packages, and changes their state and credentials.

import { formatMinor } from '@counterfoil/kit/money';
import { type PageOptions, withPage } from '@counterfoil/kit/process/command-line/page-options';
import { type OutputOptions, printFields, printRows } from '@counterfoil/kit/process/command-line/print';
import type { Command } from 'commander';
import { createSandbox } from '../packages/credentials/create-sandbox.ts';
import { findAlertLevel } from '../packages/credit-alert.ts';
import { presentPackage } from '../packages/managed-package.ts';
import { approvePackage, resumePackage, suspendPackage } from '../packages/package-state.ts';
import { getManagedPackage, listPackages } from '../packages/queries.ts';
import { presentNext, readPage } from '../wire/paging.ts';
import { addPackageEdit, addTopUp, formatLimit } from './change-package.ts';
import { addOnPackage, type CommandTools, runOnPackage } from './command-tools.ts';
import { addPackageCreation, printIssued } from './create-package.ts';
import { type Rotation, rotate, withRotation } from './keys.ts';

export function addPackages(program: Command, tools: CommandTools): void {
  const packages = program.command('packages').description("Customers' packages.");
  addList(packages, tools);
  addShow(packages, tools);
  addPackageCreation(packages, tools);
  for (const [verb, description, change] of [
    ['approve', 'Approve a pending package, so that it can use the API.', approvePackage],
    ['suspend', 'Suspend a package: refuse bets, launches and transfers.', suspendPackage],
    ['resume', 'End the suspension of a package.', resumePackage],
  ] as const) {
    addOnPackage(packages, verb, description).action((name: string, given: OutputOptions) =>
      runOnPackage(tools, name, async ({ db, target }) => {
        await db.transaction((tx) => change(tx, target));
        const found = await getManagedPackage(db, target.packageId);
        printFields(tools, given, {
          json: presentPackage(found, target.at),
          title: `${found.name} is ${found.state}.`,
          fields: [['uid', found.uid]],
        });
      }),
    );
  }
  addPackageEdit(packages, tools);
  addTopUp(packages, tools);
  const rotation = 'Replace a key pair; the old one stays valid for an overlap.';
  withRotation(addOnPackage(packages, 'rotate-keys', rotation)).action((name: string, given: Rotation) =>
    rotate(tools, name, given),
  );
  addSandbox(packages, tools);
}

function addList(packages: Command, tools: CommandTools): void {
  withPage(packages.command('list'))
    .description('List packages, newest first.')
    .action(async (given: PageOptions) => {
      await tools.run(async ({ db }) => {
        const page = readPage(given, 'packages');
        const found = await listPackages(db, page);
        const { next_cursor } = presentNext(page, found, (each) => each.id);
        const now = new Date();
        printRows(tools, given, {
          json: { packages: found.map((each) => presentPackage(each, now)), next_cursor },
          head: ['ID', 'UID', 'NAME', 'STATE', 'CREDIT', '', 'ALERT'],
          keep: ['ID', 'UID', 'STATE', 'CREDIT'],
          rows: found.map((each) => [
            String(each.id),
            each.uid,
            each.sandboxOf === undefined ? each.name : `${each.name} (sandbox of ${each.sandboxOf})`,
            each.state,
            formatMinor(each.credit, each),
            each.currency,
            findAlertLevel(each, each.credit) ?? '',
          ]),
          next: next_cursor,
        });
      });
    });
}

function addShow(packages: Command, tools: CommandTools): void {
  const show = addOnPackage(packages, 'show', 'Show a package with its settings and credit.');
  show.action((name: string, given: OutputOptions) =>
    runOnPackage(tools, name, async ({ db, target }) => {
      const found = await getManagedPackage(db, target.packageId);
      const shown = presentPackage(found, target.at);
      const money = (minor: bigint) => `${formatMinor(minor, found)} ${found.currency}`;
      printFields(tools, given, {
        json: shown,
        title: `${found.name} is ${found.state}.`,
        fields: [
          ['id', String(found.id)],
          ['uid', found.uid],
          ['currency', `${found.currency}, ${found.decimals} decimals`],
          ['credit', money(found.credit)],
          ['credit alert', shown.credit_alert?.level ?? 'none'],
          ['alert threshold', money(found.alertThreshold)],
          ['overdraft limit', money(found.overdraftLimit)],
          ['maximum stake', formatLimit(found.maxStake, found)],
          ['domains', found.domains.join(', ') || 'none'],
          ['callers from', found.callerAddresses.join(', ') || 'anywhere'],
          ['callbacks from', found.callbackAddresses.join(', ') || 'anywhere'],
          ['callback security', found.callbackSecurity],
          ['shared launch', found.sharedLaunch ? 'on' : 'off'],
          ['sandbox', found.sandboxId === undefined ? 'none' : String(found.sandboxId)],
          ['created', shown.created_at],
        ],
      });
    }),
  );
}

function addSandbox(packages: Command, tools: CommandTools): void {
  const sandbox = addOnPackage(packages, 'sandbox', 'Create the sandbox of a package, with play money.');
  sandbox.action((name: string, given: OutputOptions) =>
    runOnPackage(tools, name, async ({ config, db, target }) => {
      const issued = await db.transaction((tx) => createSandbox(tx, config.masterKey, target));
      printIssued(tools, given, { issued, title: 'The sandbox, with play money:' });
    }),
  );
}
