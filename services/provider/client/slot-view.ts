// The reels. They roll until the server answers, stop one after another and mark the wins.
import type { SlotOutcome, SlotRules } from './api.ts';
import { isStill, make, makeSvg, wait } from './page-parts.ts';

const rows = 3;
const rollingCells = 9;

export interface View {
  /** The field that the player has picked; null in games without fields. */
  field(): string | null;
  start(): void;
  show(outcome: unknown): Promise<void>;
  /** Stops the animation of a round that failed. */
  rest(): void;
}

export function createSlotView(stage: HTMLElement, rules: SlotRules): View {
  const count = rules.lines[0]?.length ?? 5;
  const symbols = rules.pays.length;
  const frame = make('div', 'reels');
  frame.style.setProperty('--reels', String(count));
  const strips = Array.from({ length: count }, () => make('div', 'strip'));
  for (const strip of strips) frame.append(make('div', 'reel', strip));
  const overlay = makeSvg('svg', { viewBox: `0 0 ${count * 100} ${rows * 100}`, class: 'lines' });
  overlay.setAttribute('aria-hidden', 'true');
  frame.append(overlay);
  stage.append(frame);

  const draw = (symbol: number) => {
    const image = make('img', 'symbol');
    image.src = `/pictures/${rules.id}/symbols/${symbol}.svg`;
    image.alt = '';
    image.draggable = false;
    return make('div', 'cell', image);
  };
  const anySymbol = () => Math.floor(Math.random() * symbols);
  let resting = strips.map((_, reel) =>
    Array.from({ length: rows }, (_, row) => (1 + reel * 2 + row * 3) % symbols),
  );
  const settle = (reel: number, column: number[]) => strips[reel]?.replaceChildren(...column.map(draw));
  const settleAll = () => {
    for (const [reel, column] of resting.entries()) settle(reel, column);
  };
  settleAll();

  const roll = (strip: HTMLElement) => {
    const cells = Array.from({ length: rollingCells }, anySymbol);
    strip.replaceChildren(...[...cells, ...cells.slice(0, rows)].map(draw));
    strip.classList.remove('landing');
    strip.classList.add('rolling');
  };

  return {
    field: () => null,
    start: () => {
      overlay.replaceChildren();
      frame.classList.remove('won');
      if (isStill()) frame.classList.add('waiting');
      else for (const strip of strips) roll(strip);
    },
    show: async (given) => {
      const outcome = given as SlotOutcome;
      frame.classList.remove('waiting');
      resting = outcome.grid;
      for (const [reel, strip] of strips.entries()) {
        if (!isStill()) await wait(reel === 0 ? 420 : 190);
        strip.classList.remove('rolling');
        settle(reel, outcome.grid[reel] ?? []);
        if (!isStill()) strip.classList.add('landing');
      }
      if (!isStill()) await wait(260);
      showWins({ frame, overlay, strips, rules }, outcome);
    },
    rest: () => {
      frame.classList.remove('waiting');
      for (const strip of strips) strip.classList.remove('rolling');
      settleAll();
    },
  };
}

interface Parts {
  frame: HTMLElement;
  overlay: SVGElement;
  strips: HTMLElement[];
  rules: SlotRules;
}

function showWins({ frame, overlay, strips, rules }: Parts, outcome: SlotOutcome): void {
  frame.classList.toggle('won', outcome.wins.length > 0);
  for (const [index, win] of outcome.wins.entries()) {
    const path = rules.lines[win.line] ?? [];
    const points = path.map((row, reel) => `${reel * 100 + 50},${row * 100 + 50}`).join(' ');
    overlay.append(
      makeSvg('polyline', { points, class: 'shadow' }),
      makeSvg('polyline', { points, class: `line line-${index % 5}`, pathLength: 1 }),
    );
    for (const [reel, row] of path.slice(0, win.count).entries()) {
      strips[reel]?.children[row]?.classList.add('hit');
    }
  }
}
