// The scorecard as text: a table for the terminal, and a page for the docs.
import { invariants } from '../checker/violation.ts';
import type { Figure } from '../fault.ts';
import { addUpFigure, listReached, type Reached } from './promises.ts';
import type { Score } from './score.ts';

/** A saved score with its origin. */
export interface SavedScore extends Score {
  readonly commit: string;
  readonly machine: string;
  readonly date: string;
  readonly quick: boolean;
}

const formatNumber = (value: number) =>
  Number.isFinite(value) ? value.toLocaleString('en', { maximumFractionDigits: 1 }) : '∞';

function formatFigure({ label, value, unit, atMost, atLeast }: Figure): string {
  const bar = [
    atMost === undefined ? '' : ` (≤ ${formatNumber(atMost)})`,
    atLeast === undefined ? '' : ` (≥ ${formatNumber(atLeast)})`,
  ].join('');
  return `${label} ${formatNumber(value)}${unit ? ` ${unit}` : ''}${bar}`;
}

const formatFigures = (score: Score): string =>
  score.verdict === 'skipped' ? score.remark : score.figures.map(formatFigure).join(', ');

export function renderLines(score: Score): string[] {
  const head = `${score.verdict.padEnd(8)}${score.name.padEnd(28)}${score.seconds.toFixed(0)} s`;
  return [
    head,
    `        ${formatFigures(score)}`,
    ...(score.verdict === 'BROKEN' && score.remark !== '' ? [`        ${score.remark}`] : []),
    ...score.violations.map(({ invariant, detail }) => `        ${invariant}: ${detail}`),
  ];
}

export const formatReached = ({ words, wanted, value, isReached }: Reached): string =>
  `${formatNumber(wanted)} ${words}: ${isReached ? 'reached' : 'NOT reached'} (${formatNumber(value)})`;

const escapeCell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

export function renderPage(scores: readonly SavedScore[]): string {
  const groups = [...new Set(scores.map((score) => score.group))];
  const demands = Object.entries(invariants).map(([name, text]) => `| ${name} | ${text} |`);
  const violations = scores.flatMap((score) => score.violations);
  const totals = [
    `${formatNumber(addUpFigure(scores, 'acknowledged'))} movements acknowledged`,
    `${formatNumber(addUpFigure(scores, 'kills'))} kills`,
    `${formatNumber(addUpFigure(scores, 'unknown outcomes'))} unknown outcomes resolved`,
    `${violations.filter(({ invariant }) => invariant === 'I1').length} lost or doubled`,
    `${violations.length} violations`,
  ];
  return [
    '# Scorecard',
    '',
    `Promised of a whole run: ${listReached(scores).map(formatReached).join('; ')}. Quick ` +
      'lines do not count.',
    '',
    'Written by `npm run faults -- --write`; not edited by hand. Each check runs against the built',
    'service and a PostgreSQL of its own with fsync on; what it does stands in `lab/faults/src/faults/`.',
    '',
    `In all: ${totals.join(', ')}. Planted bugs are counted apart: there, to be caught is to hold.`,
    '',
    '| | Demanded after every fault, of the client’s log and the database |',
    '|---|---|',
    ...demands,
    ...groups.flatMap((group) => renderGroup(group, scores)),
    '',
  ].join('\n');
}

function renderGroup(group: string, scores: readonly SavedScore[]): string[] {
  return [
    '',
    `## ${group}`,
    '',
    '| Check | What is done | Figures | Verdict | Took | Commit, date, machine |',
    '|---|---|---|---|---|---|',
    ...scores
      .filter((score) => score.group === group)
      .map((score) => {
        const where = `${score.commit}, ${score.date}, ${score.machine}${score.quick ? ', quick' : ''}`;
        const cells = [
          `\`${score.name}\``,
          score.does,
          formatFigures(score),
          score.verdict,
          `${score.seconds.toFixed(0)} s`,
          where,
        ];
        return `| ${cells.map(escapeCell).join(' | ')} |`;
      }),
  ];
}
