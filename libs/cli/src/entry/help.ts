// The text of `counterfoil help`: all verbs, the options that every verb has, and all exit statuses.
import { formatTable } from '@counterfoil/kit/process/command-line/table';
import type { CommandContext } from './services.ts';
import { verbs } from './verbs.ts';

const statuses = [
  ['0', 'done'],
  ['1', 'failed, or a check found a problem'],
  ['2', 'wrong usage or wrong settings'],
  ['3', 'the named object does not exist'],
  ['4', 'refused by the service, or not permitted'],
  ['5', 'database or service unavailable; nothing was changed'],
  ['6', 'outcome unknown: the change may be done; check before you repeat it'],
];

export function formatHelp(context: Pick<CommandContext, 'columns'>): string {
  const columns = context.columns ?? 80;
  const table = (rows: readonly (readonly string[])[]) => formatTable(rows, { columns, keep: [0] });
  return [
    'Usage: counterfoil <verb> [words] [options]',
    '',
    'One command for both services, licensing and wallet.',
    '',
    'Verbs:',
    table(verbs.map(({ name, summary }) => [name, summary])),
    '',
    'Options of every verb:',
    table([
      ['--help', 'the arguments and options of the verb'],
      ['--json', 'print one JSON document on standard output'],
      ['--service <name>', 'licensing or wallet, if both have the verb'],
    ]),
    '',
    'Status:',
    table(statuses),
  ].join('\n');
}
