// A wrk script for mixed callbacks: bets, their later wins and rollbacks, bet_wins and balance reads.
import { namePlayer, playerCount } from './dataset.ts';

/**
 * The actions of twenty callbacks: 9 bets, 8 wins, a rollback, a bet_win (two rows) and a balance read (no
 * row).
 */
const cycle = 20;
/**
 * The number of cycles after which a bet is settled. By that time the answer to the bet has certainly
 * arrived.
 */
const lag = 100;

/** Writes the script. All ids have the same length, so the Content-Length of each action is constant. */
export function writeCallbackScript(given: {
  url: string;
  headers: Readonly<Record<string, string>>;
  tag: string;
}): string {
  const id = (lead: string) => `${lead}-${given.tag}-%09d`;
  const played = { player_id: 'player-%05d', game_id: 'bench', round_id: id('round') };
  const bodies = {
    bet: { action: 'bet', ...played, transaction_id: id('bet'), amount: 1.25, currency: 'EUR' },
    win: {
      action: 'win',
      ...played,
      transaction_id: id('win'),
      amount: 1.25,
      currency: 'EUR',
      reference_transaction_id: id('bet'),
      round_finished: true,
    },
    rollback: {
      action: 'rollback',
      ...played,
      transaction_id: id('back'),
      reference_transaction_id: id('bet'),
    },
    bet_win: {
      action: 'bet_win',
      ...played,
      transaction_id: id('both'),
      bet_amount: 1.25,
      win_amount: 1.5,
      currency: 'EUR',
      round_finished: true,
    },
    balance: { action: 'balance', player_id: 'player-%05d' },
  };
  const formats = Object.entries(bodies).map(
    ([action, body]) => `${action} = ${JSON.stringify(write(given, JSON.stringify(body)))}`,
  );
  return `
local formats = { ${formats.join(',\n')} }
local n = -1
local function send(action, number)
  return string.format(formats[action], number * 7919 % ${playerCount}, number, number, number)
end
function request()
  n = n + 1
  local step = n % ${cycle}
  if step == 18 then return send('bet_win', n) end
  if step == 19 then return send('balance', n) end
  local settled = n - ${lag * cycle} - 9
  -- wrk calls request() once without sending the result, so bet 0 does not exist.
  if step < 9 or settled <= 0 then return send('bet', n) end
  if step == 17 then return send('rollback', settled) end
  return send('win', settled)
end
`;
}

function write(given: Parameters<typeof writeCallbackScript>[0], body: string): string {
  const length = body.replaceAll('player-%05d', namePlayer(0)).replaceAll('%09d', '000000001').length;
  const fields = { host: new URL(given.url).host, ...given.headers, 'content-length': length };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /api/v1/game/callback HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
