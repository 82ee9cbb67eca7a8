// Draws a flame graph as an SVG: width is time, depth is the call depth, names are shown if they fit.
import { escapeText, frame, place } from '../report/svg.ts';
import type { Call } from './call-tree.ts';

const [width, rowHeight, margin, top] = [1200, 18, 10, 60];
/** Narrower boxes are not drawn, because they are invisible. */
const minWidth = 0.6;
const letterWidth = 6.6;

interface Box {
  readonly call: Call;
  readonly x: number;
  readonly depth: number;
  readonly wide: number;
}

export function drawFlame(root: Call, subtitle: string): string {
  const boxes: Box[] = [];
  const scale = (width - 2 * margin) / root.micros;
  const lay = (call: Call, from: number, depth: number) => {
    let x = from;
    const children = [...call.children.values()].sort((a, b) => b.micros - a.micros);
    for (const child of children) {
      const wide = child.micros * scale;
      if (wide >= minWidth) {
        boxes.push({ call: child, x, depth, wide });
        lay(child, x, depth + 1);
      }
      x += wide;
    }
  };
  lay(root, margin, 0);
  const depth = Math.max(0, ...boxes.map((box) => box.depth));
  const height = top + (depth + 1) * rowHeight + margin;
  const title = 'CPU time of the service by function';
  return frame({ width, height, title, subtitle }, [
    flameStyle,
    ...boxes.map((box) => drawBox(box, root.micros)),
  ]);
}

const flameStyle = `<style>
.flame { stroke: #ffffff; stroke-width: 0.5 } .label { font-size: 11px; fill: #1b1b1b }
.own { fill: #f2a65a } .kit { fill: #f6cf71 } .other { fill: #b8c4d6 } .node { fill: #9ccf9c }
@media (prefers-color-scheme: dark) { .flame { stroke: #0d1117 } .label { fill: #10151c } }
</style>`;

/** The origin of the code: service, kit, library or Node. */
function kindOf(file: string): string {
  if (/^(?:wallet|licensing|server)\//.test(file)) return 'own';
  if (file.startsWith('kit/')) return 'kit';
  return file === '' || file.startsWith('node:') ? 'node' : 'other';
}

function drawBox({ call, x, depth, wide }: Box, allMicros: number): string {
  const y = top + depth * rowHeight;
  const letters = Math.floor((wide - 4) / letterWidth);
  const text = letters < 3 ? '' : call.name.slice(0, letters);
  const part = `${((call.micros / allMicros) * 100).toFixed(1)} %`;
  const hint = escapeText(`${call.name} ${call.file} ${part}`);
  return (
    `<g><title>${hint}</title><rect class="flame ${kindOf(call.file)}" x="${place(x)}" y="${y}" ` +
    `width="${place(wide)}" height="${rowHeight - 1}"/>` +
    (text
      ? `<text class="label" x="${place(x + 2)}" y="${y + 13}">${escapeText(text)}</text>`
      : '') +
    '</g>'
  );
}
