// The rules of the game in a dialog: payouts, lines and the return to the player.
import type { PickRules, PlayState, SlotRules } from './api.ts';
import type { MoneyTexts } from './money.ts';
import { make, makeSvg, part } from './page-parts.ts';

export function showPaytable(state: PlayState, betMinor: number, money: MoneyTexts): void {
  const dialog = part<HTMLDialogElement>('paytable');
  const title = make('h2', '', 'Paytable');
  title.id = 'paytable-title';
  const close = make('button', 'quiet', 'Close');
  close.type = 'button';
  close.addEventListener('click', () => dialog.close());
  const { game } = state;
  const content = game.kind === 'slot' ? listPays(game, betMinor, money) : [listFields(game)];
  const facts = make(
    'p',
    'facts',
    `${game.name} by ${game.studio}. ` +
      `On average, ${game.rtp}% of stakes come back; ${game.volatility} volatility. ` +
      'Every outcome is drawn on the server.',
  );
  dialog.replaceChildren(make('header', '', title, close), ...content, facts);
  dialog.showModal();
}

function listPays(game: SlotRules, betMinor: number, money: MoneyTexts): Node[] {
  const lineStake = betMinor / game.lines.length;
  const cards = game.pays.flatMap((pays, symbol) => {
    const rows = pays.flatMap((pay, i) =>
      pay > 0 ? [make('li', '', `${i + 1}× `, make('b', '', money.minor(pay * lineStake)))] : [],
    );
    const image = make('img', '');
    image.src = `/pictures/${game.id}/symbols/${symbol}.svg`;
    image.alt = symbol === 0 ? 'Wild' : `Symbol ${symbol}`;
    const note = symbol === 0 ? [make('small', '', 'substitutes for any symbol')] : [];
    return [make('div', 'pay', image, make('ul', '', ...rows.reverse()), ...note)];
  });
  return [
    make('p', '', `Equal symbols from the left pay, at a stake of ${money.minor(betMinor)}:`),
    make('div', 'pays', ...cards),
    make('p', '', `${game.lines.length} lines, all in play:`),
    make('div', 'line-list', ...game.lines.map(drawLine)),
  ];
}

function drawLine(line: readonly number[]): SVGElement {
  const svg = makeSvg('svg', { viewBox: `0 0 ${line.length * 10} 30`, class: 'mini-line' });
  for (const [reel, row] of line.entries()) {
    for (let each = 0; each < 3; each++) {
      const cell = { x: reel * 10 + 1, y: each * 10 + 1, width: 8, height: 8, rx: 2 };
      svg.append(makeSvg('rect', { ...cell, class: each === row ? 'on' : 'off' }));
    }
  }
  return svg;
}

function listFields(game: PickRules): Node {
  const seen = new Set<string>();
  const rows = game.fields.flatMap(({ id, label, times }) => {
    const name = /^n\d/.test(id) ? 'A single number' : label;
    if (seen.has(name)) return [];
    seen.add(name);
    return [make('li', '', `${name} `, make('b', '', `×${times}`))];
  });
  return make('ul', 'field-list', ...rows);
}
