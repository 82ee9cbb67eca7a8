// wallet admins and wallet people: print links by which people set a password.

import { invitePerson } from '@counterfoil/identity/links/invitations';
import { createPasswordResetLink } from '@counterfoil/identity/links/link';
import { type OutputOptions, printSentence } from '@counterfoil/kit/process/command-line/print';
import type { Command } from 'commander';
import { platformTenant } from '../platform.ts';
import { type CommandTools, createLinkSignIn } from './command-tools.ts';

export function addPeople(program: Command, tools: CommandTools): void {
  const { run } = tools;
  program
    .command('admins')
    .description("The platform's administrators.")
    .command('create')
    .description('Invite an administrator and print the one-time link (24 h).')
    .requiredOption('--email <email>', "the administrator's e-mail")
    .option('--json', 'print JSON')
    .action(async ({ email, ...given }: OutputOptions & { email: string }) => {
      await run(async ({ db, config }) => {
        const signIn = createLinkSignIn(db, config);
        const invitation = { tenantId: platformTenant, email, invitedBy: null } as const;
        const link = await db.transaction((tx) =>
          invitePerson(signIn, tx, { ...invitation, role: 'administrator' }),
        );
        printSentence(tools, given, {
          json: { email, link: link.url },
          sentence: `The administrator sets a password here within 24 hours:\n${link.url}`,
        });
      });
    });

  program
    .command('people')
    .description('People who sign in to the panel.')
    .command('reset-password')
    .description('Print a one-time link (24 h) by which a person sets a new password.')
    .argument('<email>')
    .option('--json', 'print JSON')
    .action(async (email: string, given: OutputOptions) => {
      await run(async ({ db, config }) => {
        const signIn = createLinkSignIn(db, config);
        const link = await db.transaction((tx) => createPasswordResetLink(signIn, tx, { email }));
        printSentence(tools, given, {
          json: { email, link: link.url },
          sentence: `A new password can be set here within 24 hours:\n${link.url}`,
        });
      });
    });
}
