// Every message exists in both languages, as text and as HTML without executable content.
import { languages } from '@counterfoil/kit/http/headers';
import { describe, expect, it } from 'vitest';
import { type MailContent, mailKinds } from '../message.ts';
import { renderMail } from './render-mail.ts';

const nasty = '<script>alert("x")</script> & more';
const url = 'https://desk.example/welcome#token=cfl_abc';
const unsubscribeUrl = 'https://desk.example/buyers#unsubscribe=cfu_abc';
const expiresAt = '2026-03-02T12:00:00.000Z';
const contents: readonly MailContent[] = [
  { kind: 'invitation', values: { url, expiresAt, inviter: nasty } },
  { kind: 'password_reset', values: { url, expiresAt } },
  {
    kind: 'credit_alert',
    values: { package: nasty, level: 'low', balance: '1.00', threshold: '2.00', currency: 'EUR', url },
  },
  { kind: 'webhook_disabled', values: { tenant: nasty, host: nasty, reason: 'gone', url } },
  {
    kind: 'support_ending',
    values: { workspace: nasty, count: 2, purchases: [{ item: nasty, id: '7', end: expiresAt }], url },
  },
  { kind: 'pool_low', values: { workspace: nasty, pool: nasty, free: 2, threshold: 3, url } },
  { kind: 'buyer_link', values: { url, expiresAt, sellers: [nasty] } },
  { kind: 'code_replaced', values: { workspace: nasty, item: nasty, id: '7', url } },
  {
    kind: 'buyer_support_ending',
    values: { workspace: nasty, item: nasty, end: expiresAt, url, unsubscribeUrl },
  },
];
const sender = { service: 'Counterfoil Desk', publicUrl: 'https://desk.example' };

it('a sample of every kind of message is tested', () => {
  expect(contents.map(({ kind }) => kind)).toEqual([...mailKinds]);
});

describe.each(languages)('a message in %s', (language) => {
  it.each(contents.map((content) => [content.kind, content] as const))(
    'a message of the kind %s has a subject, its link as text, and escaped HTML',
    (_kind, content) => {
      const { subject, text, html } = renderMail(content, language, sender);
      expect(subject).not.toMatch(/undefined|[\r\n]/);
      expect(text).not.toMatch(/undefined|Invalid/);
      expect(text).toContain(url);
      expect(html).toContain(`href="${url}"`);
      expect(html).toContain(`lang="${language}"`);
      expect(html).not.toMatch(/<script|undefined/);
    },
  );
});

it('a time is written in the form of the language, with its time zone', () => {
  const [invitation] = contents;
  if (!invitation) throw new Error('no sample');
  expect(renderMail(invitation, 'en', sender).text).toContain('2 March 2026 at 12:00 UTC');
  expect(renderMail(invitation, 'de', sender).text).toContain('2. März 2026 um 12:00 UTC');
});

it('the message to a buyer has a link that unsubscribes, as text and in HTML', () => {
  for (const language of languages) {
    const { text, html } = renderMail(contents.at(-1) as MailContent, language, sender);
    expect(text).toContain(`\n${unsubscribeUrl}\n`);
    expect(html).toContain(`href="${unsubscribeUrl}"`);
  }
});
