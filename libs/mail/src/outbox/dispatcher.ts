// The dispatcher of a process: it sends due messages one at a time and records the results.
import { randomUUID } from 'node:crypto';
import { backoffMs } from '@counterfoil/kit/concurrency/backoff';
import { repeat } from '@counterfoil/kit/concurrency/repeat';
import type { Logger } from '@counterfoil/kit/observability/logging';
import { createLabelledCounter, type Metrics } from '@counterfoil/kit/observability/metrics';
import type { Db } from '@counterfoil/kit/postgres/db';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import type { MailSettings } from '../mail-settings.ts';
import type { MailKey } from '../message.ts';
import {
  createSmtpTransport,
  type MailTransport,
  mailboxTransport,
  type SendResult,
} from '../smtp-transport.ts';
import type { Mailer } from './mailer.ts';
import {
  claimMail,
  deleteFinishedMail,
  type MailRow,
  saveFailure,
  saveSent,
  selectDueMail,
} from './store.ts';

/**
 * The pauses between attempts. Servers that defer unknown senders (greylisting) accept a message when it is
 * sent again some minutes later.
 */
const retry = { firstMs: 30_000, longestMs: 2 * 3_600_000 };
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/**
 * Sent messages are kept because the limits per address count them. Dead letters are kept so that
 * administrators can send them again.
 */
const keepMs = { sent: dayMs, failed: 30 * dayMs };
const batchSize = 20;
/** How long `stop` waits for the current message before it closes the connection. */
const graceMs = 3000;

export interface MailDispatcherOptions {
  readonly db: Db;
  readonly mailer: Mailer;
  readonly settings: MailSettings;
  readonly logger: Logger;
  readonly registry: Metrics;
  readonly now: () => Date;
  readonly transport?: MailTransport;
  /** The pause between two searches for due messages. */
  readonly pauseMs?: number;
}

export type MailDispatcher = ReturnType<typeof startMailDispatcher>;

interface SendDeps extends Omit<MailDispatcherOptions, 'registry' | 'transport'> {
  readonly transport: MailTransport;
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly onAttempt: (outcome: string) => void;
}

/** Returns undefined if the installation sends no mail. */
const createTransport = ({ mode, smtp, timeoutMs }: MailSettings): MailTransport | undefined => {
  if (mode === 'mailbox') return mailboxTransport;
  return smtp && createSmtpTransport(smtp, timeoutMs);
};

export function startMailDispatcher(options: MailDispatcherOptions) {
  const { db, logger, now, settings, pauseMs = 1000 } = options;
  const transport = options.transport ?? createTransport(settings);
  const stopping = new AbortController();
  const owner = randomUUID();
  let isStopping = false;
  const attempts = createLabelledCounter(options.registry, {
    name: 'mail_attempts_total',
    help: 'Attempts to send a message by mail; a message with the outcome dead is not sent again',
    labelNames: ['outcome'],
  });
  const warn = (message: string) => (error: unknown) => logger.warn({ err: error }, message);
  const sendDue = async (): Promise<void> => {
    if (!transport) return;
    const onAttempt = (outcome: string) => attempts.add({ outcome });
    const deps = { ...options, transport, owner, signal: stopping.signal, onAttempt };
    for (let isFull = true; isFull && !isStopping; ) {
      const due = await selectDueMail(db, { at: now(), limit: batchSize });
      for (const key of due) {
        if (isStopping) return;
        // A message that cannot be sent must not delay the other messages. Its claim expires automatically.
        await sendOne(deps, key).catch(warn('a message could not be sent'));
      }
      isFull = due.length === batchSize;
    }
  };
  const maintain = async (): Promise<void> => {
    for (const state of ['sent', 'failed'] as const) {
      await deleteFinishedMail(db, { state, before: new Date(now().getTime() - keepMs[state]) });
    }
  };
  const loops = [
    repeat(sendDue, pauseMs, warn('mail could not be sent')),
    repeat(maintain, hourMs, warn('old mail was not deleted')),
  ];
  return {
    /** Sends all messages that are due now. */
    now: async (): Promise<void> => await loops[0]?.now(),
    stop: async (): Promise<void> => {
      isStopping = true;
      const timer = setTimeout(() => stopping.abort(), graceMs);
      await Promise.all(loops.map((loop) => loop.stop()));
      clearTimeout(timer);
    },
  };
}

/**
 * Sends one message. The claim lasts longer than an attempt, so two processes never send the message at the
 * same time. The process may die after the server accepted the message and before the result is saved.
 * Another process then sends a second copy when the claim has ended. Both copies have the same Message-ID.
 */
async function sendOne(deps: SendDeps, key: MailKey): Promise<void> {
  const { db, owner, now, settings } = deps;
  const at = now();
  const until = new Date(at.getTime() + 2 * settings.timeoutMs + deadlineMs(30_000));
  const row = await claimMail(db, { ...key, owner, at, until });
  if (!row) return;
  const result = await attempt(deps, row);
  if (result.outcome === undefined) return;
  const saved = await saveResult(deps, row, result);
  if (!saved) deps.logger.warn({ mail: String(row.id) }, 'a claim expired before its message was sent');
}

async function attempt(deps: SendDeps, row: MailRow): Promise<SendResult> {
  const { mailer } = deps;
  if (row.expiresAt && row.expiresAt <= deps.now()) return { outcome: 'refused', error: 'expired' };
  const rendered = mailer.render(row);
  if (!rendered) return { outcome: 'refused', error: 'unreadable' };
  const { recipient: to, language, createdAt: date } = row;
  const host = new URL(mailer.sender.publicUrl).hostname;
  const messageId = `<${row.id}.${row.tenantId}.${date.getTime()}@${host}>`;
  return await deps.transport.send({ ...rendered, to, language, date, messageId }, deps.signal);
}

async function saveResult(deps: SendDeps, row: MailRow, result: SendResult): Promise<boolean> {
  const { db, owner, transport, settings } = deps;
  const { tenantId, id } = row;
  const at = deps.now();
  const claimed = { tenantId, id, owner, at };
  if (result.outcome === 'accepted') {
    deps.onAttempt('sent');
    return await saveSent(db, { ...claimed, keepsContent: transport.keepsContent });
  }
  const isDead = result.outcome === 'refused' || row.attempts >= settings.maxAttempts;
  deps.onAttempt(isDead ? 'dead' : 'failed');
  const { error, status } = result;
  const about = { tenant: String(tenantId), mail: String(id), kind: row.kind, error, status };
  if (isDead) deps.logger.warn(about, 'a message could not be delivered by mail');
  const waitMs = Math.round(backoffMs(row.attempts, retry));
  const nextAttemptAt = isDead ? undefined : new Date(at.getTime() + waitMs);
  return await saveFailure(db, { ...claimed, error, status, nextAttemptAt });
}
