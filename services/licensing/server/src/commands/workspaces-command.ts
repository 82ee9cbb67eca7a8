// `workspaces …` and `people …`: manages workspaces, and prints links for new passwords.
import { invitePerson } from '@counterfoil/identity/links/invitations';
import { createPasswordResetLink } from '@counterfoil/identity/links/link';
import { parseEmail } from '@counterfoil/identity/members/person';
import { parseId } from '@counterfoil/kit/http/parameters';
import { isPrintable } from '@counterfoil/kit/http/text';
import { isCurrency } from '@counterfoil/kit/money';
import { type PageOptions, withJson } from '@counterfoil/kit/process/command-line/page-options';
import {
  type OutputOptions,
  printFields,
  printRows,
  printSentence,
} from '@counterfoil/kit/process/command-line/print';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import type { Command } from 'commander';
import { createWorkspace } from '../accounts/create-workspace.ts';
import { createLicensingSignIn } from '../sign-in.ts';
import { presentNext, readPage } from '../wire/paging.ts';
import { getWorkspace, listAllWorkspaces } from '../workspaces/queries.ts';
import { presentWorkspace } from '../workspaces/workspace.ts';
import { type CommandTools, type Tools, withNumberedPage } from './tools.ts';

interface GivenWorkspace extends OutputOptions {
  readonly name: string;
  readonly email: string;
  readonly currency: string;
}

export function addWorkspaceCommands(program: Command, tools: CommandTools): void {
  const workspaces = program.command('workspaces').description('Manage workspaces.');
  withNumberedPage(workspaces.command('list'))
    .description('List workspaces by id.')
    .action((given: PageOptions) => list(tools, given));
  withJson(workspaces.command('show').argument('<id>'))
    .description('Show a workspace.')
    .action((id: string, given: OutputOptions) => show(tools, id, given));
  withJson(workspaces.command('create'))
    .description('Create a workspace and print the one-time link (24 h) for its owner.')
    .requiredOption('--name <name>', 'the name of the workspace')
    .requiredOption('--email <email>', "the owner's e-mail")
    .requiredOption('--currency <code>', "the account's currency, ISO 4217")
    .action((given: GivenWorkspace) => create(tools, given));
  const people = program.command('people').description('Manage the people who sign in to the panel.');
  withJson(people.command('reset-password').argument('<email>'))
    .description('Print a one-time link (24 h) for setting a new password.')
    .action((email: string, given: OutputOptions) => resetPassword(tools, email, given));
}

const list = (tools: CommandTools, given: PageOptions): Promise<void> =>
  tools.run(async ({ db }) => {
    const page = readPage(given);
    const found = await listAllWorkspaces(db, page);
    const { next_cursor } = presentNext(page, found, ({ id }) => [id]);
    const workspaces = found.map(presentWorkspace);
    printRows(tools, given, {
      json: { workspaces, next_cursor: next_cursor ?? null },
      head: ['ID', 'NAME', 'SUPPORT', 'CREATED'],
      keep: ['ID'],
      rows: workspaces.map((each) => [
        String(each.id),
        each.name,
        each.support_enabled ? 'on' : 'off',
        each.created_at,
      ]),
      next: next_cursor,
    });
  });

const show = (tools: CommandTools, id: string, given: OutputOptions): Promise<void> =>
  tools.run(async ({ db }) => {
    const shown = presentWorkspace(await getWorkspace(db, parseId(id)));
    printFields(tools, given, {
      json: shown,
      title: `Workspace ${id}:`,
      fields: [
        ['name', shown.name],
        ['support', shown.support_enabled ? 'shown by validation' : 'not shown by validation'],
        ['support of new sales', `${shown.support_months} months`],
        ['vendor clients', shown.vendor_clients.join(', ') || 'off'],
        ['created', shown.created_at],
      ],
    });
  });

/** Checks the options of a new workspace, and reports all problems at once. */
function readWorkspace(given: GivenWorkspace) {
  const problems: string[] = [];
  const name = given.name.trim();
  if (name === '' || !isPrintable(name) || name.length > 128)
    problems.push('--name needs 1 to 128 printable characters');
  const email = parseEmail(given.email);
  if (email === undefined) problems.push(`--email ${given.email} is not an e-mail`);
  const currency = given.currency.trim().toUpperCase();
  if (!isCurrency(currency)) problems.push(`--currency ${given.currency} is no currency of ISO 4217`);
  if (email === undefined || problems.length > 0) throw new CommandRefused(problems.join('\n'));
  return { name, email, currency };
}

/**
 * In production, refuses to make links if the public address is not set, because the links would lead to
 * localhost.
 */
function openSignIn({ db, config }: Tools) {
  if (config.missingForLinks.length > 0) throw new CommandRefused(config.missingForLinks.join('\n'));
  return createLicensingSignIn(db, config);
}

async function create(tools: CommandTools, given: GivenWorkspace): Promise<void> {
  const { name, email, currency } = readWorkspace(given);
  await tools.run(async ({ db, config }) => {
    const signIn = openSignIn({ db, config });
    const { id, url } = await db.transaction(async (tx) => {
      const tenantId = await createWorkspace(tx, { name, account: { email, currency } });
      const invitation = { tenantId, email, role: 'owner', invitedBy: null } as const;
      return { id: tenantId, url: (await invitePerson(signIn, tx, invitation)).url };
    });
    const sentence = `Workspace ${id} is open. Its owner sets a password here within 24 hours:\n${url}`;
    printSentence(tools, given, { json: { id: Number(id), link: url }, sentence });
  });
}

const resetPassword = (tools: CommandTools, email: string, given: OutputOptions): Promise<void> =>
  tools.run(async ({ db, config }) => {
    const signIn = openSignIn({ db, config });
    const { url } = await db.transaction((tx) => createPasswordResetLink(signIn, tx, { email }));
    const sentence = `A new password can be set here within 24 hours:\n${url}`;
    printSentence(tools, given, { json: { email, link: url }, sentence });
  });
