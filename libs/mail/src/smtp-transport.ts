// Sends one message over SMTP, within a time limit, and classifies the answer of the server.
import type { MailSettings } from './mail-settings.ts';
import type { RenderedMail } from './message.ts';

/**
 * A message with its recipient. Every attempt sends the same message id, so that receivers can recognise a
 * copy.
 */
export interface OutgoingMail extends RenderedMail {
  readonly messageId: string;
  readonly to: string;
  readonly language: string;
  readonly date: Date;
}

export const mailErrors = [
  'rejected',
  'deferred',
  'sign_in_refused',
  'tls_failed',
  'name_not_found',
  'timeout',
  'connection_failed',
  'expired',
  'unreadable',
] as const;
export type MailErrorCode = (typeof mailErrors)[number];

export interface SendResult {
  /**
   * `accepted` means that the server has taken over the message. `refused` is final. After `failed`, a later
   * attempt may succeed. Undefined means that the attempt was aborted and its outcome is unknown.
   */
  readonly outcome: 'accepted' | 'refused' | 'failed' | undefined;
  /** A code from a fixed list. The text of the server is not stored, because it may repeat the message. */
  readonly error?: MailErrorCode;
  readonly status?: number;
}

export interface MailTransport {
  readonly send: (mail: OutgoingMail, signal?: AbortSignal) => Promise<SendResult>;
  /** Whether the content of accepted messages is kept. The mailbox of the demo shows the content. */
  readonly keepsContent: boolean;
}

type SmtpSettings = NonNullable<MailSettings['smtp']>;

/** The mailbox of the demo accepts every message. */
export const mailboxTransport: MailTransport = {
  send: async () => ({ outcome: 'accepted' }),
  keepsContent: true,
};

export const createSmtpTransport = (smtp: SmtpSettings, timeoutMs: number): MailTransport => ({
  send: async (mail, signal) => {
    try {
      await deliver(smtp, mail, { timeoutMs, signal });
      return { outcome: 'accepted' };
    } catch (error) {
      return signal?.aborted ? { outcome: undefined } : explain(error);
    }
  },
  keepsContent: false,
});

class TimeoutError extends Error {}

/** Loads nodemailer when the first message is sent. An earlier load would delay the start of the service. */
async function loadNodemailer() {
  const [{ default: Connection }, { default: Composer }] = await Promise.all([
    import('nodemailer/lib/smtp-connection'),
    import('nodemailer/lib/mail-composer'),
  ]);
  return { Connection, Composer };
}

type Connection = InstanceType<Awaited<ReturnType<typeof loadNodemailer>>['Connection']>;

interface Limits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

async function deliver(smtp: SmtpSettings, mail: OutgoingMail, limits: Limits): Promise<void> {
  const { Composer } = await loadNodemailer();
  const message = await compose(Composer, smtp, mail);
  const envelope = { from: smtp.from.address, to: [mail.to] };
  await withConnection(smtp, limits, (connection) =>
    step((done) => connection.send(envelope, message, done)),
  );
}

const step = (run: (done: (error?: Error | null) => void) => void) =>
  new Promise<void>((resolve, reject) => run((error) => (error ? reject(error) : resolve())));

/**
 * Connects, signs in if there are credentials, and runs `work`. After the time limit, closes the connection.
 */
async function withConnection(
  smtp: SmtpSettings,
  { timeoutMs, signal }: Limits,
  work: (connection: Connection) => Promise<void>,
): Promise<void> {
  const nodemailer = await loadNodemailer();
  const connection = openConnection(nodemailer.Connection, smtp, timeoutMs);
  const { auth } = smtp.server;
  const talk = async (): Promise<void> => {
    await step((done) => connection.connect(done));
    if (auth) await step((done) => connection.login(auth, done));
    await work(connection);
  };
  let stopWatching = (): void => {};
  const stopped = new Promise<never>((_resolve, reject) => {
    const end = () => reject(new TimeoutError());
    const timer = setTimeout(end, timeoutMs);
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
    connection.on('error', reject);
    connection.on('end', () => reject(new Error('the connection ended')));
    stopWatching = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    };
  });
  try {
    await Promise.race([talk(), stopped]);
    connection.quit();
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    stopWatching();
  }
}

const openConnection = (
  Connection: Awaited<ReturnType<typeof loadNodemailer>>['Connection'],
  { server, tls }: SmtpSettings,
  timeoutMs: number,
): Connection =>
  new Connection({
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: tls === 'required' && !server.secure,
    ignoreTLS: tls === 'off',
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    maxResponseSize: 65_536,
  });

async function compose(
  Composer: Awaited<ReturnType<typeof loadNodemailer>>['Composer'],
  { from, replyTo }: SmtpSettings,
  mail: OutgoingMail,
): Promise<Buffer> {
  const composed = new Composer({
    from,
    to: mail.to,
    ...(replyTo && { replyTo }),
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: mail.messageId,
    date: mail.date,
    // Asks automatic responders, such as absence notes, not to answer (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': mail.language },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return await composed.compile().build();
}

/** A 5xx answer to one of these commands is final: the server refuses the recipient or the message. */
const finalCommands = ['RCPT TO', 'DATA'];

function explain(error: unknown): SendResult {
  if (error instanceof TimeoutError) return { outcome: 'failed', error: 'timeout' };
  const {
    code = '',
    originalCode = '',
    command = '',
    responseCode,
  } = error as {
    code?: string;
    /** The code of the original error. nodemailer wraps that error in its own error with a different code. */
    originalCode?: string;
    command?: string;
    responseCode?: number;
  };
  const status = responseCode === undefined ? {} : { status: responseCode };
  if (code === 'ETLS' || /CERT|SSL|TLS|ALTNAME|ISSUER/.test(originalCode)) {
    return { outcome: 'failed', error: 'tls_failed' };
  }
  if (code === 'EAUTH') return { outcome: 'failed', error: 'sign_in_refused', ...status };
  // nodemailer itself refuses an invalid recipient, before it sends the address to the server.
  if (code === 'EENVELOPE' && command === 'API') return { outcome: 'refused', error: 'rejected' };
  if (responseCode !== undefined && responseCode >= 500 && finalCommands.includes(command)) {
    return { outcome: 'refused', error: 'rejected', ...status };
  }
  if (responseCode !== undefined && responseCode >= 400) {
    return { outcome: 'failed', error: 'deferred', ...status };
  }
  if (code === 'EDNS') return { outcome: 'failed', error: 'name_not_found' };
  if (code === 'ETIMEDOUT') return { outcome: 'failed', error: 'timeout' };
  return { outcome: 'failed', error: 'connection_failed' };
}

/** Connects and signs in to the server. Returns the error code, or undefined after a success. */
export async function findSmtpProblem(
  smtp: SmtpSettings,
  timeoutMs: number,
): Promise<MailErrorCode | undefined> {
  try {
    await withConnection(smtp, { timeoutMs }, async () => {});
    return undefined;
  } catch (error) {
    return explain(error).error;
  }
}
