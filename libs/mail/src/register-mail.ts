// Routes for undelivered messages: list them, and send a dead letter again.

import { type Answer, answer, Nothing, Nullable, presentTime } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { integerForm } from '@counterfoil/kit/http/openapi/forms';
import { named, shownAs } from '@counterfoil/kit/http/openapi/schema-marks';
import { defaultPageLimit, findPageEnd, parseId } from '@counterfoil/kit/http/parameters';
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import type { MailErrors } from './errors.ts';
import { mailKinds } from './message.ts';
import type { Mailer } from './outbox/mailer.ts';
import { type ListedMail, listUndelivered } from './outbox/queries.ts';
import { sendAgain } from './outbox/send-again.ts';
import { mailErrors } from './smtp-transport.ts';

/** How a service mounts the routes: their path, their access policy and their principal. */
export interface MailMount {
  readonly path: string;
  /** The parameters of the path, except the id of a message. */
  readonly params: Readonly<Record<string, TSchema>>;
  readonly describe: <Data extends TSchema>(
    summary: string,
    data: Data,
  ) => { readonly response: { 200: ReturnType<typeof Answer<Data>> } };
  readonly onRequest: onRequestAsyncHookHandler;
  /** The tenant whose messages are listed. Undefined means the messages of all tenants. */
  readonly tenantOf: (request: FastifyRequest) => bigint | undefined;
  /** Records in the audit log of the tenant that a message is sent again. */
  readonly record: (tx: Tx, request: FastifyRequest, mail: { tenantId: bigint; id: bigint }) => Promise<void>;
}

interface MailRouteDeps {
  readonly db: Db;
  readonly mailer: Mailer;
  readonly errors: MailErrors;
  readonly now: () => Date;
}

const time = Type.String({ format: 'date-time' });

export const UndeliveredMail = named(
  'UndeliveredMail',
  Type.Object({
    id: Type.Integer(),
    kind: Type.Enum([...mailKinds], { description: 'The cause of the message.' }),
    recipient: Type.String(),
    state: Type.Enum(['waiting', 'failed'], {
      description: '`waiting` if another attempt follows, `failed` for a dead letter.',
    }),
    attempts: Type.Integer(),
    error: Nullable(Type.Enum([...mailErrors]), { description: 'The reason of the last failure.' }),
    smtp_status: Nullable(Type.Integer()),
    created_at: time,
    next_attempt_at: Nullable(time, { description: 'Null for a dead letter.' }),
    can_resend: Type.Boolean({ description: 'False if another attempt follows or the link has expired.' }),
  }),
);

export const MailAnswer = Type.Object({
  mode: Type.Enum(['smtp', 'mailbox', 'off'], {
    description: '`off` if mail is not set up, `mailbox` in the demo without an SMTP server.',
  }),
  messages: Type.Array(UndeliveredMail, { description: 'Newest first.' }),
  next_cursor: Nullable(Type.String(), { description: 'Null on the last page.' }),
});

const presentMail = (mail: ListedMail, at: Date) =>
  ({
    id: Number(mail.id),
    kind: mail.kind,
    recipient: mail.recipient,
    state: mail.state,
    attempts: mail.attempts,
    error: mail.error ?? null,
    smtp_status: mail.smtpStatus ?? null,
    created_at: presentTime(mail.createdAt),
    next_attempt_at: mail.state === 'waiting' ? presentTime(mail.nextAttemptAt) : null,
    can_resend: mail.state === 'failed' && !(mail.expiresAt && mail.expiresAt <= at),
  }) as Static<typeof UndeliveredMail>;

const Query = Type.Object({
  limit: Type.Optional(
    shownAs(
      Type.String({
        pattern: '^([1-9][0-9]?|100)$',
        description: 'The maximum number of messages, from 1 to 100. Default: 50.',
      }),
      integerForm(1, 100),
    ),
  ),
  cursor: Type.Optional(
    Type.String({ pattern: '^[1-9][0-9]{0,17}$', description: 'The `next_cursor` of the previous page.' }),
  ),
});

export function registerMailRoutes(app: App, mount: MailMount, deps: MailRouteDeps): void {
  const { db, mailer, errors, now } = deps;
  const { onRequest } = mount;
  const listSchema = {
    ...mount.describe('List messages that were not delivered', MailAnswer),
    params: Type.Object(mount.params),
    querystring: Query,
  };
  app.get(mount.path, { schema: listSchema, onRequest }, async (request) => {
    const { cursor } = request.query;
    const limit = Number(request.query.limit ?? defaultPageLimit);
    const before = cursor === undefined ? undefined : BigInt(cursor);
    const listed = await listUndelivered(db, { tenantId: mount.tenantOf(request), before, limit });
    const last = findPageEnd(limit, listed);
    const messages = listed.map((mail) => presentMail(mail, now()));
    return answer(request, { mode: mailer.mode, messages, next_cursor: last ? String(last.id) : null });
  });

  const resendSchema = {
    ...mount.describe('Send a dead letter again', Nothing),
    params: Type.Object({ ...mount.params, mail_id: Type.String() }),
  };
  app.post(`${mount.path}/:mail_id/resend`, { schema: resendSchema, onRequest }, async (request) => {
    const id = parseId((request.params as { mail_id: string }).mail_id);
    await db.transaction(async (tx) => {
      const sent = await sendAgain(tx, { tenantId: mount.tenantOf(request), id, at: now() });
      const { result, tenantId } = sent;
      if (result === 'expired') throw errors.fail('mail_expired');
      if (result === 'missing' || tenantId === undefined) throw errors.fail('mail_not_found');
      await mount.record(tx, request, { tenantId, id });
    });
    return answer(request, {});
  });
}
