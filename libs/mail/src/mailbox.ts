// GET /mailbox: the messages of the demo, which has no SMTP server. Only this machine can open the page.

import type { App } from '@counterfoil/kit/http/app';
import type { ServiceErrors, TransportErrorCode } from '@counterfoil/kit/http/errors';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import type { Mailer } from './outbox/mailer.ts';
import { listMailbox } from './outbox/queries.ts';
import { escapeHtml } from './templates/render-mail.ts';

const maxMessages = 50;
/** The pages are hidden in the API reference, because only the demo has them. */
const schema = { hide: true, response: { 200: Type.String(), '4xx': ErrorAnswer } };
const headers = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'",
};

/** Links in the messages give access to accounts, so only this machine may read the pages. */
const isThisMachine = (address: string): boolean => /^(?:127\.|::1$|::ffff:127\.)/.test(address);

interface MailboxDeps {
  readonly db: Db;
  readonly mailer: Mailer;
  readonly errors: ServiceErrors<TransportErrorCode>;
}

export function registerMailbox(app: App, { db, mailer, errors }: MailboxDeps): void {
  const list = async () => {
    const rows = await listMailbox(db, maxMessages);
    return rows.flatMap((row) => {
      const mail = mailer.render(row);
      return mail ? [{ row, mail }] : [];
    });
  };
  app.get('/mailbox', { schema }, async (request, reply) => {
    if (!isThisMachine(request.ip)) throw errors.fail('route_not_found');
    const messages = (await list()).map(
      ({ row, mail }) => `<article><h2>${escapeHtml(mail.subject)}</h2>
<p>To ${escapeHtml(row.recipient)}, ${row.createdAt.toISOString()}.
<a href="/mailbox/${row.id}">As HTML</a></p>
<pre>${linkify(mail.text)}</pre></article>`,
    );
    return reply.headers(headers).type('text/html; charset=utf-8').send(writePage(messages));
  });
  app.get('/mailbox/:id', { schema }, async (request, reply) => {
    if (!isThisMachine(request.ip)) throw errors.fail('route_not_found');
    const { id } = request.params as { id: string };
    const found = (await list()).find(({ row }) => String(row.id) === id);
    if (!found) throw errors.fail('route_not_found');
    return reply.headers(headers).type('text/html; charset=utf-8').send(found.mail.html);
  });
}

const linkify = (text: string): string =>
  escapeHtml(text).replace(/https?:\/\/[^\s<&]+/g, (url) => `<a href="${url}">${url}</a>`);

const writePage = (messages: readonly string[]): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Mailbox of the demo</title><style>
body{max-width:720px;margin:24px auto;padding:0 12px;background:#fafbf9;color:#1b201d;
  font:16px/1.55 system-ui,sans-serif}
article{margin:0 0 16px;padding:16px 20px;background:#fff;border:1px solid #e3e7e2;border-radius:8px}
h1{font-size:20px}h2{margin:0;font-size:17px}p{margin:4px 0;color:#59645e;font-size:14px}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:14px/1.5 ui-monospace,monospace}a{color:#18704f}
</style></head><body><main><h1>Mailbox of the demo</h1>
<p>The demo has no SMTP server, so its messages are here. Set SMTP_URL to send them.</p>
${messages.length === 0 ? '<p>No messages yet.</p>' : messages.join('\n')}
</main></body></html>
`;
