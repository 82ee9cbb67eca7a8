// A buyer's browser in the buyer portal, for tests: signs in with a code or with the link of a mail.
import { eventually } from '@counterfoil/kit/testing/eventually';
import type { MailKind } from '@counterfoil/mail/message';
import { listMailbox } from '@counterfoil/mail/outbox/queries';
import { mailerOf, sendAllMail } from '@counterfoil/mail/testing/send-all-mail';
import { expect } from 'vitest';
import type { Given } from './given.ts';
import { type Answer, type Browser, openBrowser } from './panel-browser.ts';

export const portal = '/panel/buyers';

export interface BuyerBrowser extends Browser {
  signInWithCode(email: string, code: string): Promise<Answer>;
  /** Asks for a link and redeems the link of the mail. */
  signInByMail(email: string): Promise<Answer>;
}

/** Sends all due mail, and returns the texts of the newest messages of one kind to the address. */
export async function readMails(given: Given, email: string, kind: MailKind): Promise<string[]> {
  await sendAllMail(given);
  const mails = await listMailbox(given.db, 100);
  const own = mails.filter((each) => each.recipient === email && each.kind === kind);
  return own.map((mail) => mailerOf(given).render(mail)?.text ?? '');
}

/**
 * Returns the token of the newest link that was mailed to the address, once `count` links were mailed.
 * Searches for purchases run one after the other, so the searches for all earlier requests have then ended.
 */
export const waitForLink = (given: Given, email: string, count = 1): Promise<string> =>
  eventually(async () => {
    const texts = await readMails(given, email, 'buyer_link');
    expect(texts.length).toBeGreaterThanOrEqual(count);
    return /#token=(cfb_[\w-]{43})/.exec(texts[0] ?? '')?.[1] ?? '';
  });

export function openBuyerBrowser(given: Given, address = '10.1.0.1'): BuyerBrowser {
  const browser = openBrowser(given, address);
  return Object.assign(browser, {
    signInWithCode: (email: string, code: string) =>
      browser.post(`${portal}/session`, { email, purchase_code: code }),
    signInByMail: async (email: string) => {
      await browser.post(`${portal}/links`, { email });
      return await browser.post(`${portal}/links/redeem`, { token: await waitForLink(given, email) });
    },
  });
}
