// wallet admin-tokens: tokens by which programs call /admin/v1.
import { parseId } from '@counterfoil/kit/http/parameters';
import {
  type OutputOptions,
  printFields,
  printRows,
  printSentence,
} from '@counterfoil/kit/process/command-line/print';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import { type Command, InvalidArgumentError } from 'commander';
import { presentAdminToken } from '../admin-tokens/admin-token.ts';
import { createAdminToken, revokeAdminToken } from '../admin-tokens/change-admin-tokens.ts';
import { listAdminTokens } from '../admin-tokens/queries.ts';
import { operator } from '../audit/audit-event.ts';
import type { CommandTools } from './command-tools.ts';

export function addAdminTokens(program: Command, tools: CommandTools): void {
  const { run } = tools;
  const tokens = program.command('admin-tokens').description('Tokens for /admin/v1.');

  tokens
    .command('create')
    .description('Create a token and print it once.')
    .requiredOption('--name <name>', 'the purpose of the token')
    .option('--days <days>', 'days until it expires; it never expires by default', parseDays)
    .option('--json', 'print JSON')
    .action(async (given: OutputOptions & { name: string; days?: number }) => {
      await run(async ({ db, config }) => {
        const wanted = { ...given, actor: operator, at: new Date() };
        const made = await db.transaction((tx) => createAdminToken(tx, config.masterKey, wanted));
        printFields(tools, given, {
          json: { id: Number(made.id), token: made.token },
          title: 'The token, which will not be shown again:',
          fields: [
            ['id', String(made.id)],
            ['token', made.token],
          ],
        });
      });
    });

  tokens
    .command('list')
    .description('List tokens, the live ones first.')
    .option('--json', 'print JSON')
    .action(async (given: OutputOptions) => {
      await run(async ({ db }) => {
        const now = new Date();
        const listed = (await listAdminTokens(db, now)).map((each) => presentAdminToken(each, now));
        printRows(tools, given, {
          json: listed,
          head: ['ID', 'NAME', 'ENDS IN', 'STATE', 'MADE BY', 'CREATED', 'LAST USED'],
          rows: listed.map((each) => [
            String(each.id),
            each.name,
            `…${each.hint}`,
            each.state,
            each.created_by === null ? 'operator' : `person ${each.created_by}`,
            each.created_at,
            each.last_used_at ?? 'never',
          ]),
        });
      });
    });

  tokens
    .command('revoke')
    .description('Revoke a token at once.')
    .argument('<id>')
    .option('--json', 'print JSON')
    .action(async (id: string, given: OutputOptions) => {
      if (parseId(id) === 0n) throw new CommandRefused(`${id} is not the number of a token`);
      await run(async ({ db }) => {
        const target = { id: parseId(id), actor: operator, at: new Date() };
        await db.transaction((tx) => revokeAdminToken(tx, target));
        printSentence(tools, given, {
          json: { id: Number(id), state: 'revoked' },
          sentence: `Token ${id} is revoked.`,
        });
      });
    });
}

function parseDays(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= 3650) return days;
  throw new InvalidArgumentError('It must be a whole number from 1 to 3650.');
}
