// The licensing service's command: what an operator does without the panel.
import { text } from 'node:stream/consumers';
import { addDistributeCommand } from '@counterfoil/kit/distribution/distribute-command';
import { CommandRefused } from '@counterfoil/kit/local-environment';
import { isCurrency } from '@counterfoil/kit/money';
import { createCommandRunner, runCommand } from '@counterfoil/kit/run-command';
import { runMain } from '@counterfoil/kit/run-main';
import { createPasswordResetLink } from '@counterfoil/kit/sign-in/create-password-reset-link';
import { invitePerson } from '@counterfoil/kit/sign-in/invite-person';
import { parseEmail } from '@counterfoil/kit/sign-in/person';
import { isPrintable } from '@counterfoil/kit/text';
import { Command } from 'commander';
import { migrationFolders } from './app.ts';
import { addEraseBuyerCommand } from './commands/erase-buyer-command.ts';
import { addExportCommand } from './commands/export-command.ts';
import { addImportCommand } from './commands/import-command.ts';
import { addKeyCommands } from './commands/keys-command.ts';
import { addSetBalanceCommand } from './commands/set-balance-command.ts';
import { addSetSellerCommand } from './commands/set-seller-command.ts';
import { readLicensingConfig } from './config.ts';
import { licensingDistribution as distribution } from './distribution.ts';
import { collectHotStatements } from './hot-statements.ts';
import { createLicensingSignIn } from './sign-in.ts';
import { createWorkspace } from './workspaces/create-workspace.ts';

const run = createCommandRunner({
  service: 'licensing',
  urlName: 'LICENSING_DATABASE_URL',
  readConfig: readLicensingConfig,
  migrationFolders,
});

interface GivenWorkspace {
  readonly name: string;
  readonly email: string;
  readonly currency: string;
}

/** Everything that is wrong is told at once. */
function readWorkspace(given: GivenWorkspace): GivenWorkspace {
  const problems: string[] = [];
  const name = given.name.trim();
  if (name === '' || !isPrintable(name) || name.length > 128)
    problems.push('--name needs 1 to 128 printable characters');
  const email = parseEmail(given.email);
  if (email === undefined) problems.push(`--email ${given.email} is not an e-mail`);
  const currency = given.currency.trim().toUpperCase();
  if (!isCurrency(currency))
    problems.push(`--currency ${given.currency} is no currency of ISO 4217`);
  if (email === undefined || problems.length > 0) throw new CommandRefused(problems.join('\n'));
  return { name, email, currency };
}

const print = (line: string) => process.stdout.write(`${line}\n`);

const program = new Command('licensing').description('Operate the licensing service.');

program
  .command('workspaces')
  .description("Sellers' workspaces.")
  .command('create')
  .description('Open a workspace and print the one-time link (24 h) by which its owner signs in.')
  .requiredOption('--name <name>', 'the name of the workspace')
  .requiredOption('--email <email>', "the owner's e-mail")
  .requiredOption('--currency <code>', "the account's currency, ISO 4217")
  .action(async (given: GivenWorkspace) => {
    const { name, email, currency } = readWorkspace(given);
    await run(async ({ db, config }) => {
      const signIn = createLicensingSignIn(db, config);
      const { id, link } = await db.transaction(async (tx) => {
        const tenantId = await createWorkspace(tx, {
          name,
          account: { email, currency },
        });
        const invitation = {
          tenantId,
          email,
          role: 'owner',
          invitedBy: null,
        } as const;
        return { id: tenantId, link: await invitePerson(signIn, tx, invitation) };
      });
      print(
        `Workspace ${id} is open. Its owner sets a password here within 24 hours:\n${link.url}`,
      );
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
      const signIn = createLicensingSignIn(db, config);
      const link = await db.transaction((tx) => createPasswordResetLink(signIn, tx, { email }));
      print(`A new password can be set here within 24 hours:\n${link.url}`);
    });
  });

addKeyCommands(program, { run, print, readInput: () => text(process.stdin) });

addImportCommand(program, run);
addExportCommand(program, run);
addEraseBuyerCommand(program, run);
addSetBalanceCommand(program, run);
addSetSellerCommand(program, run);
addDistributeCommand(program, { run, print, distribution, collectHotStatements });

runMain(() => runCommand(program));
