// The settings of mail, which are the same in every service.
import { isMailAddress, isPrintable } from '@counterfoil/kit/http/text';
import { oneOf, type Setting, type Values, wholeNumber } from '@counterfoil/kit/process/config';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** Whether the connection uses TLS from its start (`smtps:`). */
  readonly secure: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | undefined;
}

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

const smtpUrl = (): Setting<SmtpServer | undefined> => ({
  optional: true,
  secret: true,
  parse: parseSmtpUrl,
});

/** Parses an address such as `smtp://user:password@mail.example:587`. An error never repeats the value. */
function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const secure = url?.protocol === 'smtps:';
  if (!url || (!secure && url.protocol !== 'smtp:') || url.hostname === '') {
    throw new Error('must be an address such as smtp://user:password@mail.example:587');
  }
  if (url.search || url.hash || !/^\/?$/.test(url.pathname)) {
    throw new Error('must be an address without a path, query or fragment; escape special characters');
  }
  if ((url.username === '') !== (url.password === '')) {
    throw new Error('must contain both a user name and a password, or neither');
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (secure ? 465 : 587) : Number(url.port);
  if (port === 0) throw new Error('must have a port from 1 to 65535');
  const auth = url.username === '' ? undefined : { user: decode(url.username), pass: decode(url.password) };
  return { host, port, secure, auth };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('must escape % in the user name and the password as %25');
  }
}

const addressForm = /^(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>]+))$/;

/** The setting of one mail address, alone or as `Name <address>`. */
const mailAddress = (): Setting<MailAddress | undefined> => ({
  optional: true,
  parse: (text) => {
    const [, name = '', inBrackets, alone] = addressForm.exec(text.trim()) ?? [];
    const address = (inBrackets ?? alone ?? '').trim();
    if (isMailAddress(address) && address.length <= 254 && isPrintable(name)) {
      return { name: name.trim(), address };
    }
    throw new Error(
      `must be a mail address such as Counterfoil <mail@example.com>, not ${JSON.stringify(text)}`,
    );
  },
});

export const mailSettings = {
  SMTP_URL: smtpUrl(),
  /**
   * `required` refuses to send without TLS. `optional` uses TLS if the server offers it. `off` never upgrades
   * to TLS.
   */
  SMTP_TLS: oneOf(['required', 'optional', 'off'], 'required'),
  MAIL_FROM: mailAddress(),
  MAIL_REPLY_TO: mailAddress(),
  MAIL_ATTEMPTS: wholeNumber({ fallback: 12, min: 1, max: 30 }),
  MAIL_TIMEOUT_SECONDS: wholeNumber({ fallback: 30, min: 1, max: 600 }),
  MAIL_PER_ADDRESS_HOUR: wholeNumber({ fallback: 10, min: 0, max: 10_000 }),
  MAIL_QUEUE_MAX: wholeNumber({ fallback: 1000, min: 1, max: 1_000_000 }),
};

export type SmtpTls = Values<typeof mailSettings>['SMTP_TLS'];

/** Finds problems that concern several settings together. */
export function checkMailSettings(values: Partial<Values<typeof mailSettings>>): string[] {
  if (values.SMTP_URL === undefined || values.MAIL_FROM !== undefined) return [];
  return ['MAIL_FROM is required when SMTP_URL is set'];
}

export type MailSettings = ReturnType<typeof presentMailSettings>;

/**
 * Returns the settings under the names that the code uses. Without an SMTP server, a demo outside production
 * keeps mail in its mailbox, and all other installations send no mail.
 */
export function presentMailSettings(
  values: Values<typeof mailSettings> & { DEMO: string; NODE_ENV: string },
) {
  const isDemo = values.DEMO === 'on' && values.NODE_ENV !== 'production';
  const { SMTP_URL: server, MAIL_FROM: from } = values;
  const smtp = server && from && { server, tls: values.SMTP_TLS, from, replyTo: values.MAIL_REPLY_TO };
  return {
    mode: smtp ? ('smtp' as const) : isDemo ? ('mailbox' as const) : ('off' as const),
    smtp,
    maxAttempts: values.MAIL_ATTEMPTS,
    /** The time limit of one attempt, which includes connecting, signing in and the server's answer. */
    timeoutMs: deadlineMs(values.MAIL_TIMEOUT_SECONDS * 1000),
    /** The maximum number of messages of one kind to one address per hour. 0 means no limit. */
    perAddressHour: values.MAIL_PER_ADDRESS_HOUR,
    /** The maximum number of waiting messages per tenant. */
    maxWaiting: values.MAIL_QUEUE_MAX,
  };
}
