// Takes the screenshots of the wallet panel for the docs and for review.
import { findDemoCredentials } from '@counterfoil/kit/postgres/service-facts';
import { describeInBrowser } from '@counterfoil/kit/testing/chromium';
import { seedDemo } from '@counterfoil/wallet-server/seed/seed';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Person, signIn } from './browsing.ts';
import { pictureLooks, takePicture } from './pictures.ts';
import { type BareWallet, openBareWallet, sendCallback } from './wallet-site.ts';

interface DemoPackage extends Person {
  readonly uid: string;
  readonly callback_key: string;
  readonly callback_secret: string;
}

interface Demo {
  readonly admin: Person;
  readonly packages: readonly DemoPackage[];
}

const own = {
  live: '/p/1',
  players: '/p/1/players',
  player: '/p/1/player?player_id=player-1',
  games: '/p/1/games',
  rounds: '/p/1/rounds',
  round: '/p/1/round?round_id=round-7',
  ledger: '/p/1/ledger',
  inspector: '/p/1/transactions?id=spin-7',
  callbacks: '/p/1/callbacks',
  'callbacks-refused': '/p/1/callbacks?show=refused',
  proof: '/p/1/proof',
  credentials: '/p/1/settings/credentials',
  access: '/p/1/settings/access',
  'callback-security': '/p/1/settings/callbacks',
  team: '/p/1/team',
  audit: '/p/1/audit',
};

const platform = {
  packages: '/admin',
  package: '/admin/packages/1',
  provider: '/admin/provider',
  proofs: '/admin/proofs',
  tokens: '/admin/tokens',
  administrators: '/admin/team',
};

describeInBrowser('pictures of the wallet panel', () => {
  let site: BareWallet;
  let demo: Demo;

  beforeAll(async () => {
    site = await openBareWallet((given) => seedDemo(given.db, given.config.masterKey));
    demo = (await findDemoCredentials(site.db, site.config.masterKey)) as unknown as Demo;
  });

  afterAll(() => site?.close());

  /** Sends callbacks: bets, wins, a repeat, a conflict, and a bet above the balance. */
  async function play(): Promise<void> {
    const of = demo.packages[0] as DemoPackage;
    const callback = { apiKey: of.callback_key, apiSecret: of.callback_secret };
    const send = (body: object) => sendCallback(site.origin, { uid: of.uid, callback }, body);
    for (let n = 1; n <= 24; n++) {
      const game = { player_id: 'player-1', game_id: 'moon-harvest', round_id: `round-${n}` };
      const bet = { ...game, action: 'bet', transaction_id: `spin-${n}`, amount: 1 + (n % 4) };
      await send(bet);
      const win = { ...game, action: 'win', transaction_id: `prize-${n}`, round_finished: true };
      if (n % 3 > 0) await send({ ...win, amount: (n % 5) + 0.5 });
      if (n === 7) await send(bet);
      if (n === 7) await send({ ...bet, amount: 50 });
    }
    await send({ player_id: 'player-1', action: 'bet', transaction_id: 'dear', amount: 99_999 });
  }

  async function take(page: Page, look: (typeof pictureLooks)[number], pages: object) {
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
      if (name === 'games') await page.waitForTimeout(1500);
      await takePicture(page, { panel: 'wallet', name, ...look });
    }
  }

  /** Launches a game as the panel does, and takes a picture of it. */
  async function takeGame(page: Page, look: (typeof pictureLooks)[number]): Promise<void> {
    const url = await page.evaluate(async () => {
      const body = { player_id: 'player-2', game_id: 'moon-harvest', mode: 'real' };
      const answer = await fetch('/panel/packages/1/launch', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return (await answer.json()).data.launch_url as string;
    });
    await page.goto(url);
    await page.waitForSelector('#spin:enabled');
    await page.click('#spin');
    await page.waitForSelector('#spin:enabled');
    await takePicture(page, { panel: 'wallet', name: 'game', ...look });
  }

  it.each(pictureLooks)(
    'pictures are taken at $width px in the $scheme colour scheme',
    async (look) => {
      await play();
      for (const [who, pages] of [
        [demo.packages[0], own],
        [demo.packages[2], { credit: '/p/3/credit', 'low-credit': '/p/3/games' }],
        [demo.admin, platform],
      ] as const) {
        const { page, context } = await site.openPage(look);
        await signIn(page, who as Person);
        await take(page, look, pages);
        if (pages === own) await takeGame(page, look);
        await context.close();
      }
    },
    600_000,
  );
});
