// Draws a bar for each figure that has a limit, scaled to that limit.
import { holds, type Measurement } from '../measurement.ts';
import { escapeText, frame, place } from './svg.ts';
import { describeBar, formatFigure } from './table.ts';

const [width, rowHeight, nameWidth] = [860, 24, 430];
const barWidth = 300;
/**
 * The highest score that a bar can show. The limit (score 1) is at half of `barWidth`. A figure that is at
 * least twice as good as its limit has a bar of the full `barWidth`.
 */
const most = 2;

/** The score of a figure: 1 at its limit, and higher if it is better. */
function scoreOf({ value, bar }: Measurement): number {
  if (!bar) return Number.NaN;
  if ('atLeast' in bar) return value / bar.atLeast;
  return value <= 0 ? most : bar.atMost / value;
}

export function drawBars(measurements: readonly Measurement[], subtitle: string): string {
  const shown = measurements.filter((each) => each.bar && Number.isFinite(each.value));
  const height = 70 + shown.length * rowHeight + 14;
  const toX = (score: number) => nameWidth + (Math.min(score, most) / most) * barWidth;
  const title = 'Measured figures relative to their limits';
  return frame({ width, height, title, subtitle }, [
    ...shown.map((each, i) => drawRow(each, 64 + i * rowHeight, toX)),
    `<line class="mark" x1="${toX(1)}" x2="${toX(1)}" y1="60" y2="${height - 12}"/>`,
  ]);
}

function drawRow(each: Measurement, y: number, toX: (score: number) => number): string {
  const figure = `${formatFigure(each.value)} ${each.unit}`.trim();
  const aim = each.aim === undefined || !each.bar ? '' : drawAim(each, each.aim, y, toX);
  return [
    `<text x="${nameWidth - 10}" y="${y + 15}" text-anchor="end">${escapeText(each.title)}</text>`,
    `<rect class="${holds(each) ? 'good' : 'bad'}" x="${nameWidth}" y="${y + 4}" rx="2" ` +
      `width="${place(toX(scoreOf(each)) - nameWidth)}" height="${rowHeight - 8}"/>`,
    aim,
    `<text class="quiet" x="${width - 122}" y="${y + 15}">` +
      `${escapeText(`${figure} (${describeBar(each)})`)}</text>`,
  ].join('');
}

function drawAim(each: Measurement, aim: number, y: number, toX: (score: number) => number) {
  const x = place(toX(scoreOf({ ...each, value: aim })));
  return `<line class="aim" x1="${x}" x2="${x}" y1="${y + 2}" y2="${y + rowHeight - 2}"/>`;
}
