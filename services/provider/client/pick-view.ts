// Roulette and dice: fields to choose from, and a wheel or a scale that shows the drawn number.
import type { PickOutcome, PickRules } from './api.ts';
import { isStill, make, wait } from './page-parts.ts';
import type { View } from './slot-view.ts';
import { colourOf, createWheel } from './wheel.ts';

interface Display {
  readonly element: Element;
  choose(fieldId: string): void;
  show(outcome: PickOutcome): Promise<void>;
}

export function createPickView(stage: HTMLElement, rules: PickRules): View {
  const display = rules.kind === 'roulette' ? createRouletteDisplay() : createScaleDisplay();
  const board = make('div', `board ${rules.kind}`);
  board.setAttribute('role', 'group');
  board.setAttribute('aria-label', 'Your pick');
  const buttons = new Map(rules.fields.map((field) => [field.id, makeField(field, rules.kind)]));
  let chosen = rules.kind === 'dice' ? 'under-4950' : 'red';
  const choose = (id: string) => {
    chosen = id;
    for (const [each, button] of buttons) button.setAttribute('aria-pressed', String(each === id));
    display.choose(id);
  };
  for (const [id, button] of buttons) {
    button.addEventListener('click', () => choose(id));
    board.append(button);
  }
  choose(chosen);
  stage.append(make('div', 'pick', display.element, board));
  const lock = (isLocked: boolean) => {
    for (const button of buttons.values()) button.disabled = isLocked;
    stage.classList.toggle('waiting', isLocked);
  };
  return {
    field: () => chosen,
    start: () => {
      stage.classList.remove('won', 'lost');
      lock(true);
    },
    show: async (given) => {
      const outcome = given as PickOutcome;
      await display.show(outcome);
      lock(false);
      stage.classList.add(outcome.won ? 'won' : 'lost');
    },
    rest: () => lock(false),
  };
}

function makeField(field: PickRules['fields'][number], kind: PickRules['kind']): HTMLButtonElement {
  const number = /^n(\d+)$/.exec(field.id)?.[1];
  const colours: Record<string, string> = { red: 'red', black: 'black' };
  const colour = number === undefined ? (colours[field.id] ?? 'plain') : colourOf(Number(number));
  const size = number === undefined ? 'wide' : number === '0' ? 'number zero' : 'number';
  const button = make('button', `field ${size} ${colour}`, make('span', '', field.label));
  button.type = 'button';
  if (kind === 'dice' || number === undefined) button.append(make('small', '', `×${field.times}`));
  return button;
}

function createRouletteDisplay(): Display {
  const wheel = createWheel();
  const drawn = make('output', 'drawn', '–');
  return {
    element: make('div', 'wheel-place', wheel.element, drawn),
    choose: () => {},
    show: async (outcome) => {
      drawn.textContent = '';
      drawn.className = 'drawn';
      await wheel.turnTo(outcome.drawn);
      drawn.textContent = String(outcome.drawn);
      drawn.className = `drawn ${colourOf(outcome.drawn)}`;
    },
  };
}

const asHundredths = (number: number) => (number / 100).toFixed(2);

function createScaleDisplay(): Display {
  const figure = make('output', 'figure', '00.00');
  const zone = make('div', 'zone');
  const marker = make('div', 'marker');
  const marks = make('div', 'marks', ...[0, 25, 50, 75, 100].map((at) => make('span', '', `${at}`)));
  const track = make('div', 'track', zone, marker);
  return {
    element: make('div', 'scale', figure, track, marks),
    choose: (id) => {
      const [, side = '', edge = '0'] = /^(under|over)-(\d+)$/.exec(id) ?? [];
      const at = Number(edge) / 100;
      zone.style.left = side === 'under' ? '0' : `${at}%`;
      zone.style.width = side === 'under' ? `${at}%` : `${100 - at}%`;
    },
    show: async ({ drawn }) => {
      const steps = isStill() ? 0 : 14;
      for (let step = 0; step < steps; step++) {
        const shown = Math.floor(Math.random() * 10_000);
        figure.textContent = asHundredths(shown);
        marker.style.left = `${shown / 100}%`;
        await wait(35 + step * 6);
      }
      figure.textContent = asHundredths(drawn);
      marker.style.left = `${drawn / 100}%`;
      if (!isStill()) await wait(200);
    },
  };
}
