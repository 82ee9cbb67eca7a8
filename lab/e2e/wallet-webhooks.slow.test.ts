// Webhooks in the wallet panel, from creating an endpoint through failures and resends to deleting it.
import { describeInBrowser } from '@counterfoil/kit/testing/chromium';
import { afterAll, beforeAll, it } from 'vitest';
import { startWebhookDispatcher } from '../../services/wallet/server/src/webhooks/webhooks.ts';
import { wideLight } from './browser.ts';
import { openWalletSite, type WalletSite } from './wallet-site.ts';
import { localWebhooks, openReceiving, walkWebhooks } from './webhook-story.ts';

describeInBrowser('the wallet panel (webhooks)', () => {
  let site: WalletSite;
  let receiving: Awaited<ReturnType<typeof openReceiving>>;

  beforeAll(async () => {
    site = await openWalletSite('Lucky Lane', localWebhooks);
    receiving = await openReceiving('wallet', site, startWebhookDispatcher);
  });

  afterAll(async () => {
    await receiving?.close();
    await site?.close();
  });

  it('on a wide screen, an owner tests and manages an endpoint, and retries its deliveries', async () => {
    const path = `/p/${site.of.id}/settings/webhooks`;
    const { page, end } = await site.visit(site.owner, path, wideLight);
    await walkWebhooks({
      page,
      receiver: receiving.receiver,
      password: site.owner.password,
      type: 'balance.changed',
      cause: () => site.player(site.of, { balance: '5.00' }),
      pass: (ms) => {
        site.ahead.ms += ms;
      },
    });
    await end();
  });
});
