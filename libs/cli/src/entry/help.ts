// The help of the command line: all verbs, options and exit statuses.
import { formatTable } from '@counterfoil/kit/process/command-line/table';
import type { CommandContext } from './services.ts';
import { verbs } from './verbs.ts';

const statuses = [
  ['0', 'done'],
  ['1', 'failed, or what was looked at is not as it should be'],
  ['2', 'asked in a wrong way, or settings are wrong'],
  ['3', 'what was named does not exist'],
  ['4', 'refused by the service, or not permitted'],
  ['5', 'database or service away; nothing was changed'],
  ['6', 'outcome unknown: it may have been done; look before you repeat it'],
];

export function formatHelp(context: Pick<CommandContext, 'columns'>): string {
  const columns = context.columns ?? 80;
  const table = (rows: readonly (readonly string[])[]) => formatTable(rows, { columns, keep: [0] });
  return [
    'Usage: counterfoil <verb> [words] [options]',
    '',
    'One command over both services, the licensing and the wallet.',
    '',
    'Verbs:',
    table(verbs.map(({ name, summary }) => [name, summary])),
    '',
    'Options of every verb:',
    table([
      ['--help', 'what the verb takes'],
      ['--json', 'one JSON document on the standard output'],
      ['--service <name>', 'licensing or wallet, where both have the verb'],
    ]),
    '',
    'Status:',
    table(statuses),
  ].join('\n');
}
