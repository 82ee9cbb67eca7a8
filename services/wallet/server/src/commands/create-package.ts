// wallet packages create: issues a package and prints its credentials once.

import { invitePerson } from '@counterfoil/identity/links/invitations';
import { type OutputOptions, printFields } from '@counterfoil/kit/process/command-line/print';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import type { Command } from 'commander';
import { operator } from '../audit/audit-event.ts';
import { type IssuedPackage, issuePackage } from '../packages/credentials/issue-package.ts';
import { type CommandTools, createLinkSignIn } from './command-tools.ts';

interface Given extends OutputOptions {
  readonly name: string;
  readonly currency: string;
  readonly decimals?: string;
  readonly domain: string[];
  readonly ownerEmail?: string;
}

export function addPackageCreation(packages: Command, tools: CommandTools): void {
  packages
    .command('create')
    .description('Issue a package, pending approval, and print its credentials once.')
    .requiredOption('--name <name>', "the customer's name")
    .requiredOption('--currency <code>', 'ISO 4217')
    .option('--decimals <number>', "the decimals of amounts, up to 8; the currency's by default")
    .option('--domain <domain...>', 'whitelisted domains', [])
    .option('--owner-email <email>', 'invite the owner, and print the one-time link (24 h)')
    .option('--json', 'print JSON')
    .action((given: Given) => create(tools, given));
}

async function create(tools: CommandTools, given: Given): Promise<void> {
  await tools.run(async ({ db, config }) => {
    const { name, ownerEmail: email } = given;
    const signIn = email === undefined ? undefined : createLinkSignIn(db, config);
    const decimals = given.decimals === undefined ? undefined : Number(given.decimals);
    if (decimals !== undefined && !/^[0-8]$/.test(given.decimals ?? '')) {
      throw new CommandRefused('the decimals must be a number from 0 to 8');
    }
    const wanted = {
      name,
      currency: given.currency.toUpperCase(),
      domains: given.domain,
      ...(decimals !== undefined && { decimals }),
    };
    const { issued, link } = await db.transaction(async (tx) => {
      const issue = { wanted, actor: operator, at: new Date() };
      const made = await issuePackage(tx, config.masterKey, issue);
      if (email === undefined || !signIn) return { issued: made, link: undefined };
      const owner = { tenantId: BigInt(made.id), role: 'owner', invitedBy: null, email } as const;
      return { issued: made, link: await invitePerson(signIn, tx, owner) };
    });
    const title = 'The package is pending until it is approved. Its secrets will not be shown again:';
    printIssued(tools, given, { issued, title, ...(link && { link: link.url }) });
  });
}

export function printIssued(
  tools: CommandTools,
  given: OutputOptions,
  shown: { issued: IssuedPackage; title: string; link?: string },
): void {
  const { issued, link } = shown;
  const json = {
    id: issued.id,
    uid: issued.uid,
    api_key: issued.caller.apiKey,
    api_secret: issued.caller.apiSecret,
    callback_key: issued.callback.apiKey,
    callback_secret: issued.callback.apiSecret,
    aes_key: issued.aesKey,
    ...(link !== undefined && { owner_link: link }),
  };
  const fields = Object.entries(json).map(([field, value]) => [field, String(value)] as const);
  printFields(tools, given, { json, title: shown.title, fields });
}
