// wallet admins, wallet people: links by which people come in, or in again.
import { createPasswordResetLink } from '@counterfoil/kit/sign-in/create-password-reset-link';
import { invitePerson } from '@counterfoil/kit/sign-in/invite-person';
import type { Command } from 'commander';
import { platformTenant } from '../platform.ts';
import { createWalletSignIn } from '../sign-in.ts';
import type { CommandTools } from './command-tools.ts';

export function addPeople(program: Command, { run, print }: CommandTools): void {
  program
    .command('admins')
    .description("The platform's administrators.")
    .command('create')
    .description('Invite an administrator and print the one-time link (24 h).')
    .requiredOption('--email <email>', "the administrator's e-mail")
    .action(async ({ email }: { email: string }) => {
      await run(async ({ db, config }) => {
        const signIn = createWalletSignIn(db, config);
        const invitation = { tenantId: platformTenant, email, invitedBy: null } as const;
        const link = await db.transaction((tx) =>
          invitePerson(signIn, tx, { ...invitation, role: 'administrator' }),
        );
        print(`The administrator sets a password here within 24 hours:\n${link.url}`);
      });
    });

  program
    .command('people')
    .description('People who sign in to the panel.')
    .command('reset-password')
    .description('Print a one-time link (24 h) by which a person sets a new password.')
    .argument('<email>')
    .action(async (email: string) => {
      await run(async ({ db, config }) => {
        const signIn = createWalletSignIn(db, config);
        const link = await db.transaction((tx) => createPasswordResetLink(signIn, tx, { email }));
        print(`A new password can be set here within 24 hours:\n${link.url}`);
      });
    });
}
