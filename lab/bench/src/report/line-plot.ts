// Draws lines over time as an SVG.
import { escapeText, frame, place } from './svg.ts';

interface Line {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

interface LinePlot {
  readonly title: string;
  readonly subtitle: string;
  readonly unitX: string;
  readonly unitY: string;
  readonly lines: readonly Line[];
  /** Vertical marks with a text, such as the start of a flood. */
  readonly marks?: readonly { readonly at: number; readonly text: string }[];
}

const [width, height] = [860, 340];
const box = { left: 70, right: 20, top: 84, bottom: 44 };

/** The distance of the grid lines: 1, 2 or 5 times a power of ten, which gives four to nine lines. */
function chooseStep(top: number): number {
  if (!(top > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(top / 4));
  const times = top / 4 / power;
  return power * (times >= 5 ? 5 : times >= 2 ? 2 : 1);
}

export function drawLines(plot: LinePlot): string {
  const all = plot.lines.flatMap((line) => line.points);
  const [maxX, maxY] = [Math.max(1e-9, ...all.map(([x]) => x)), Math.max(1e-9, ...all.map(([, y]) => y))];
  const toX = (x: number) => box.left + (x / maxX) * (width - box.left - box.right);
  const toY = (y: number) => height - box.bottom - (y / maxY) * (height - box.top - box.bottom);
  const steps = (max: number) => {
    const step = chooseStep(max);
    return Array.from({ length: Math.floor(max / step) + 1 }, (_, i) => i * step);
  };
  return frame({ width, height, title: plot.title, subtitle: plot.subtitle }, [
    ...steps(maxY).map(
      (y) =>
        `<line class="grid" x1="${box.left}" x2="${width - box.right}" y1="${place(toY(y))}" ` +
        `y2="${place(toY(y))}"/><text class="quiet" text-anchor="end" x="${box.left - 8}" ` +
        `y="${place(toY(y) + 4)}">${y.toLocaleString('en')}</text>`,
    ),
    ...steps(maxX).map(
      (x) =>
        `<text class="quiet" text-anchor="middle" x="${place(toX(x))}" y="${height - 24}">` +
        `${x.toLocaleString('en')}</text>`,
    ),
    `<text class="quiet" x="${width - box.right}" y="${height - 8}" ` +
      `text-anchor="end">${escapeText(plot.unitX)}</text>`,
    `<text class="quiet" x="16" y="${box.top - 12}">${escapeText(plot.unitY)}</text>`,
    ...(plot.marks ?? []).map(
      ({ at, text }) =>
        `<line class="aim" x1="${place(toX(at))}" x2="${place(toX(at))}" y1="${box.top}" ` +
        `y2="${height - box.bottom}"/><text class="quiet" x="${place(toX(at) + 4)}" ` +
        `y="${box.top + 10}">${escapeText(text)}</text>`,
    ),
    ...plot.lines.map((line, i) => drawLine(line, i, { toX, toY })),
    ...plot.lines.map((line, i) => drawName(line, i)),
  ]);
}

type Scale = (value: number) => number;

const drawLine = ({ points }: Line, i: number, { toX, toY }: { toX: Scale; toY: Scale }) =>
  `<polyline class="line line${i % 4}" points="${points
    .map(([x, y]) => `${place(toX(x))},${place(toY(y))}`)
    .join(' ')}"/>`;

const drawName = ({ name }: Line, i: number) =>
  `<line class="line line${i % 4}" x1="${160 + i * 170}" x2="${184 + i * 170}" y1="${box.top - 16}" ` +
  `y2="${box.top - 16}"/><text x="${190 + i * 170}" y="${box.top - 12}">${escapeText(name)}</text>`;
