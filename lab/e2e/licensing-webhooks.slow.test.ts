// Webhooks in the licensing panel, from creating an endpoint through failures and resends to deleting it.
import { describeInBrowser } from '@counterfoil/kit/testing/chromium';
import { startWebhookDispatcher } from '@counterfoil/licensing-server/webhook-dispatcher';
import { afterAll, beforeAll, it } from 'vitest';
import { narrowDark } from './browser.ts';
import { type LicensingSite, openLicensingSite } from './licensing-site.ts';
import { localWebhooks, openReceiving, walkWebhooks } from './webhook-story.ts';

describeInBrowser('the licensing panel (webhooks)', () => {
  let site: LicensingSite;
  let receiving: Awaited<ReturnType<typeof openReceiving>>;

  beforeAll(async () => {
    site = await openLicensingSite({ settings: localWebhooks });
    receiving = await openReceiving('licensing', site, startWebhookDispatcher);
  });

  afterAll(async () => {
    await receiving?.close();
    await site?.close();
  });

  it('on a narrow screen, an owner tests and manages an endpoint, and retries its deliveries', async () => {
    const itemId = await site.item(site.workspaceId);
    const { page, end } = await site.visitAsOwner('/settings/webhooks', narrowDark);
    await walkWebhooks({
      page,
      receiver: receiving.receiver,
      password: site.owner.password,
      type: 'purchase.issued',
      cause: () => site.purchase(site.workspaceId, itemId),
      pass: (ms) => {
        site.ahead.ms += ms;
      },
    });
    await end();
  });
});
