// Runs `npm start`, lists the games, launches a game, plays ten rounds in a browser and verifies each cent.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeInBrowser } from '@counterfoil/kit/testing/chromium';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { prepareStack, type Run, root, runVerb, type StackSettings } from '../../libs/cli/test/full-stack.ts';
import { launchBrowser, openPage } from './browser.ts';

interface Package {
  readonly uid: string;
  readonly api_key: string;
  readonly api_secret: string;
  readonly callback_security: string;
}

interface Connection {
  readonly id: string;
  readonly package_uid: string;
  readonly dialect: string;
}

interface Movement {
  readonly transaction_id: string;
  readonly kind: string;
  readonly round_id: string;
  readonly change: number;
  readonly balance: number;
}

const rounds = 10;

describeInBrowser('npm start', () => {
  let stack: StackSettings;
  let run: Run;
  let browser: Browser;
  let packages: Package[];
  let connections: Connection[];
  let controlToken: string;

  beforeAll(async () => {
    stack = await prepareStack();
    run = runVerb(['start'], stack.env);
    await run.until('Counterfoil is running');
    const file = join(stack.dataDir, 'credentials.json');
    const credentials = JSON.parse(readFileSync(file, 'utf8'));
    ({ packages, connections } = credentials.wallet);
    controlToken = credentials.provider.control_token;
    browser = await launchBrowser();
  });

  afterAll(async () => {
    run?.child.kill('SIGTERM');
    await run?.ended();
    await rm(stack.dataDir, { recursive: true, force: true });
  });

  const call = async (of: Package, path: string, body?: object) => {
    const answer = await fetch(`${stack.wallet}/api/v1/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        'x-uid': of.uid,
        'x-api-key': of.api_key,
        'x-api-secret': of.api_secret,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers have different shapes, checked below.
    return ((await answer.json()) as any).data;
  };

  const statementOf = async (of: Package, player: string): Promise<Movement[]> => {
    const { transactions } = await call(of, `user/transactions?player_id=${player}&limit=100`);
    return transactions;
  };

  /** Funds a new player with 100.00, plays ten rounds in a browser and returns the bets and wins. */
  const playTenRounds = async (of: Package, player: string): Promise<Movement[]> => {
    await call(of, 'user/create', { player_id: player });
    const funds = {
      player_id: player,
      type: 'credit',
      amount: 100,
      transaction_id: `f-${player}`,
    };
    await call(of, 'user/update_balance', funds);

    const { games, source } = await call(of, 'game/list?category=slots&limit=5');
    expect(source).toBe('private');
    const game = games.find((each: { status: string }) => each.status === 'active').game_id;
    // Waits, because the wallet registers a package with the provider shortly after the start.
    await expect
      .poll(async () => (await call(of, 'game/launch', launch(player, game)))?.source)
      .toBe('private');
    const { launch_url: url } = await call(of, 'game/launch', launch(player, game));

    const { page, end } = await openPage(browser, new URL(url).origin);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(url);
    for (let round = 0; round < rounds; round++) {
      await page.waitForSelector('#spin:enabled');
      const answered = page.waitForResponse('**/api/spin');
      await page.keyboard.press('Space');
      await answered;
    }
    await page.waitForSelector('#spin:enabled');
    const shown = Number((await page.textContent('#balance'))?.replace(/[^\d.]/g, ''));
    await end();

    const { balance } = await call(of, `user/balance?player_id=${player}`);
    expect(shown).toBe(balance);
    const statement = await statementOf(of, player);
    const played = statement.filter(({ kind }) => kind === 'bet' || kind === 'win');
    expect(played.filter(({ kind }) => kind === 'bet')).toHaveLength(rounds);
    const units = played.reduce((sum, { change }) => sum + Math.round(change * 1e5), 0);
    expect(balance).toBe((100e5 + units) / 1e5);
    return played;
  };

  it.each(['headers', 'signed', 'encrypted'])(
    'npm start starts a wallet that settles ten rounds with the callback security “%s”',
    async (security) => {
      const of = packages.find((each) => each.callback_security === security) as Package;
      await expectTimelines(of, await playTenRounds(of, `player-of-${security}`));
    },
  );

  const chooseProtocol = async (uid: string, connection: string | null) => {
    const answer = await fetch(`${stack.provider}/control/protocols/${uid}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ connection }),
    });
    expect(answer.status).toBe(200);
  };

  it.each(['softswiss', 'slotegrator', 'valkyrie', 'hub88'])(
    'npm start starts a wallet that settles ten rounds in the dialect %s',
    async (dialect) => {
      const { id, package_uid: uid } = connections.find((each) => each.dialect === dialect) as Connection;
      const of = packages.find((each) => each.uid === uid) as Package;
      await chooseProtocol(uid, id);
      const played = await playTenRounds(of, `player-of-${dialect}`);
      await chooseProtocol(uid, null);
      await expectTimelines(of, played, dialect === 'softswiss');
      // The movements are listed newest first. Each balance is the balance of the next (older) movement plus
      // the change.
      for (const [index, { balance, change }] of played.entries()) {
        const before = played[index + 1]?.balance ?? 100;
        expect(balance).toBeCloseTo(before + change, 5);
      }
      expect(new Set(played.map(({ round_id: round }) => round)).size).toBe(rounds);
    },
  );

  /**
   * Expects that the round of every bet is closed, and that the round's timeline agrees with the player's
   * statement.
   */
  const expectTimelines = async (of: Package, played: readonly Movement[], isSoftswiss = false) => {
    const bets = played.filter(({ kind }) => kind === 'bet');
    for (const { round_id: id } of bets) {
      const round = await call(of, `round?round_id=${encodeURIComponent(id)}`);
      expect(round.state).toBe('closed');
      const events: Movement[] = round.events.filter(
        ({ kind }: Movement) => kind === 'bet' || kind === 'win',
      );
      const own = played.filter(({ round_id: its }) => its === id);
      // In SoftSwiss's protocol, a lost round has no win.
      const hasWin = own.some(({ kind }) => kind === 'win');
      expect(own).toHaveLength(hasWin || !isSoftswiss ? 2 : 1);
      const summarize = ({ transaction_id, kind, change, balance }: Movement) => ({
        transaction_id,
        kind,
        change,
        balance,
      });
      expect(events.map(summarize)).toEqual(own.map(summarize).reverse());
    }
  };

  it('npm start starts a wallet whose ledgers have no flaw after the games', () => {
    const { env } = stack;
    const output = execFileSync(process.execPath, ['run.mjs', 'wallet', 'verify'], {
      cwd: root,
      env,
      encoding: 'utf8',
    });
    expect(output.match(/^clean /gm)?.length).toBeGreaterThanOrEqual(packages.length);
    expect(output).not.toMatch(/flaw|broken/i);
  });
});

const launch = (player: string, game: string) => ({ player_id: player, game_id: game });
