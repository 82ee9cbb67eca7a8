// The wallet service's command: what an operator does without the panel.
import { createCommandRunner, runCommand } from '@counterfoil/kit/run-command';
import { runMain } from '@counterfoil/kit/run-main';
import { createPasswordResetLink } from '@counterfoil/kit/sign-in/create-password-reset-link';
import { invitePerson } from '@counterfoil/kit/sign-in/invite-person';
import { Command } from 'commander';
import { migrationFolders } from './app.ts';
import { readWalletConfig } from './config.ts';
import { platformTenant } from './platform.ts';
import { createWalletSignIn } from './sign-in.ts';

const run = createCommandRunner({
  service: 'wallet',
  urlName: 'WALLET_DATABASE_URL',
  readConfig: readWalletConfig,
  migrationFolders,
});

const print = (line: string) => process.stdout.write(`${line}\n`);

const program = new Command('wallet').description('Operate the wallet service.');

program
  .command('admins')
  .description("The platform's administrators.")
  .command('create')
  .description('Invite an administrator and print the one-time link (24 h).')
  .requiredOption('--email <email>', "the administrator's e-mail")
  .action(async ({ email }: { email: string }) => {
    await run(async ({ db, config }) => {
      const signIn = createWalletSignIn(db, config);
      const link = await db.transaction((tx) =>
        invitePerson(signIn, tx, {
          tenantId: platformTenant,
          email,
          role: 'administrator',
          invitedBy: null,
        }),
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

runMain(() => runCommand(program));
