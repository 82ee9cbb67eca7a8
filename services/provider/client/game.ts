// The page of a game. It plays rounds with the button or a key, and shows the wallet's balance.
import { fetchState, type PlayState, playRound, Refusal, type Round, type RoundOrder } from './api.ts';
import { createMoneyTexts, type MoneyTexts } from './money.ts';
import { isStill, make, part, wait } from './page-parts.ts';
import { showPaytable } from './paytable.ts';
import { createPickView } from './pick-view.ts';
import { createSlotView, type View } from './slot-view.ts';

const message = part('message');
const spinButton = part<HTMLButtonElement>('spin');
const stakeButtons = [part<HTMLButtonElement>('less'), part<HTMLButtonElement>('more')];

function say(text: string, kind: 'plain' | 'good' | 'bad' = 'plain'): void {
  message.textContent = text;
  message.dataset.kind = kind;
}

interface Table {
  readonly state: PlayState;
  readonly view: View;
  readonly money: MoneyTexts;
  betIndex: number;
  nextRound: number;
  /** A round that was sent but not answered. The next press of the button requests the same round again. */
  open: RoundOrder | undefined;
  isOver: boolean;
}

const betOf = (table: Table) => table.state.bets_minor[table.betIndex] ?? 0;

function showBet(table: Table, step = 0): void {
  const last = table.state.bets_minor.length - 1;
  table.betIndex = Math.max(0, Math.min(last, table.betIndex + step));
  part('bet').textContent = table.money.minor(betOf(table));
  const isBusy = spinButton.disabled;
  const [less, more] = stakeButtons;
  if (less) less.disabled = isBusy || table.betIndex === 0;
  if (more) more.disabled = isBusy || table.betIndex === last;
}

const showBalance = (table: Table, balance: number | null) => {
  part('balance').textContent = balance === null ? '–' : table.money.main(balance);
};

async function spin(table: Table): Promise<void> {
  if (spinButton.disabled) return;
  spinButton.disabled = true;
  showBet(table);
  part('win').textContent = '–';
  say(table.state.game.kind === 'slot' ? 'Good luck!' : 'No more bets …');
  table.view.start();
  const order = table.open ?? { round: table.nextRound, bet_minor: betOf(table), field: table.view.field() };
  table.open = order;
  try {
    const round = await playRound(order, () => say('The connection is slow. One moment …', 'bad'));
    table.open = undefined;
    await showRound(table, round);
  } catch (error) {
    table.view.rest();
    explain(table, error);
  }
  table.nextRound = table.open ? order.round : order.round + 1;
  spinButton.disabled = table.isOver;
  showBet(table);
}

async function showRound(table: Table, round: Round): Promise<void> {
  await table.view.show(round.outcome);
  if (round.win_minor > 0) await countUp(table, round);
  else say(round.outcome.kind === 'pick' ? `${describeDrawn(round)}. No win.` : 'No win this time.');
  if (!round.settled) {
    part('balance').textContent = '…';
    say('The wallet has not answered yet. This round will be settled; no money is lost.', 'bad');
  } else showBalance(table, round.balance);
}

function describeDrawn(round: Round): string {
  const { outcome } = round;
  if (outcome.kind !== 'pick') return '';
  return outcome.field.includes('-') ? (outcome.drawn / 100).toFixed(2) : String(outcome.drawn);
}

async function countUp(table: Table, round: Round): Promise<void> {
  const { win_minor: win, bet_minor: bet } = round;
  const isBig = win >= bet * 10;
  const banner = make('div', 'banner', make('span', '', isBig ? 'Big win' : 'Win'));
  const amount = make('b', '', table.money.minor(win));
  banner.append(amount);
  part('stage').append(banner);
  const frames = isStill() ? 0 : isBig ? 40 : 18;
  for (let frame = 1; frame < frames; frame++) {
    amount.textContent = table.money.minor(Math.round((win * frame) / frames));
    await wait(28);
  }
  amount.textContent = table.money.minor(win);
  part('win').textContent = table.money.minor(win);
  const count = round.outcome.kind === 'slot' ? round.outcome.wins.length : 0;
  const where = count === 0 ? '' : count === 1 ? ' on one line' : ` on ${count} lines`;
  say(`You win ${table.money.minor(win)}${where}.`, 'good');
  setTimeout(() => banner.remove(), isBig ? 2200 : 1200);
}

function explain(table: Table, error: unknown): void {
  if (!(error instanceof Refusal)) {
    say('No connection. Your round is safe: press again to see how it ended.', 'bad');
    return;
  }
  table.open = undefined;
  if (error.balance !== null) showBalance(table, error.balance);
  if (error.code === 'session_expired' || error.code === 'session_ended') {
    table.isOver = true;
    part('leave').classList.add('wanted');
  }
  say(`${error.message}.`, 'bad');
}

function listen(table: Table): void {
  spinButton.addEventListener('click', () => void spin(table));
  stakeButtons[0]?.addEventListener('click', () => showBet(table, -1));
  stakeButtons[1]?.addEventListener('click', () => showBet(table, 1));
  part('rules').addEventListener('click', () => showPaytable(table.state, betOf(table), table.money));
  document.addEventListener('keydown', (event) => {
    const target = event.target as Element;
    const isElsewhere = target.closest('dialog[open]') || event.ctrlKey || event.metaKey || event.altKey;
    if (isElsewhere || document.querySelector('dialog[open]')) return;
    const isPress = event.key === ' ' || event.key === 'Enter';
    if (isPress && !target.closest('button, a')) {
      event.preventDefault();
      if (!event.repeat) void spin(table);
    } else if (!spinButton.disabled && (event.key === '+' || event.key === 'ArrowUp')) {
      showBet(table, 1);
    } else if (!spinButton.disabled && (event.key === '-' || event.key === 'ArrowDown')) {
      showBet(table, -1);
    }
  });
}

function openTable(state: PlayState): Table {
  const { game } = state;
  const root = document.documentElement.style;
  root.setProperty('--hue', String(game.hue));
  root.setProperty('--accent', String(game.accent));
  const stage = part('stage');
  const view = game.kind === 'slot' ? createSlotView(stage, game) : createPickView(stage, game);
  const leave = part<HTMLAnchorElement>('leave');
  if (state.return_url !== null) {
    leave.href = state.return_url;
    leave.hidden = false;
  }
  spinButton.textContent = game.kind === 'dice' ? 'Roll' : 'Spin';
  const money = createMoneyTexts(state);
  const nextRound = state.next_round;
  return { state, view, money, betIndex: 2, nextRound, open: undefined, isOver: false };
}

async function begin(): Promise<void> {
  try {
    const table = openTable(await fetchState());
    spinButton.disabled = false;
    showBalance(table, table.state.balance);
    showBet(table);
    listen(table);
    if (table.state.balance === null) say('The wallet cannot be reached right now.', 'bad');
    else say('Press space or the button.');
  } catch (error) {
    say(error instanceof Refusal ? `${error.message}.` : 'No connection. Reload the page.', 'bad');
  }
  part('game').removeAttribute('aria-busy');
}

void begin();
