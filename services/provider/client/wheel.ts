// Draws the roulette wheel, and turns it until the drawn number is on top.
import { isStill, makeSvg, wait } from './page-parts.ts';

const order = [
  0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10, 5, 24, 16, 33, 1, 20, 14, 31, 9, 22,
  18, 29, 7, 28, 12, 35, 3, 26,
];
const reds = new Set([1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36]);
const turnMs = 2600;

export const colourOf = (number: number): 'green' | 'red' | 'black' => {
  if (number === 0) return 'green';
  return reds.has(number) ? 'red' : 'black';
};

export function createWheel() {
  const element = makeSvg('svg', { viewBox: '-110 -110 220 220', class: 'wheel' });
  element.setAttribute('aria-hidden', 'true');
  const disc = makeSvg('g', { class: 'disc' });
  const slice = 360 / order.length;
  const half = Math.PI / order.length;
  const [x, y] = [96 * Math.sin(half), 96 * Math.cos(half)];
  for (const [index, number] of order.entries()) {
    const group = makeSvg('g', { transform: `rotate(${index * slice})` });
    const label = makeSvg('text', { y: -82, class: 'pocket' });
    label.textContent = String(number);
    const d = `M0 0L${-x} ${-y}A96 96 0 0 1 ${x} ${-y}z`;
    group.append(makeSvg('path', { d, class: colourOf(number) }), label);
    disc.append(group);
  }
  disc.append(
    makeSvg('circle', { r: 68, class: 'bowl' }),
    makeSvg('path', { d: 'M0 -46V46M-46 0H46', class: 'spokes' }),
    makeSvg('circle', { r: 16, class: 'hub' }),
  );
  const ball = makeSvg('circle', { cx: 0, cy: -72, r: 5, class: 'ball' });
  element.append(makeSvg('circle', { r: 106, class: 'rim' }), disc, ball);
  let angle = 0;
  return {
    element,
    turnTo: async (number: number): Promise<void> => {
      const target = -order.indexOf(number) * slice;
      const turns = isStill() ? 0 : 4;
      angle = target + 360 * (Math.ceil((angle - target) / 360) + turns);
      disc.style.transform = `rotate(${angle}deg)`;
      if (isStill()) return;
      ball.classList.add('running');
      await wait(turnMs);
      ball.classList.remove('running');
    },
  };
}
