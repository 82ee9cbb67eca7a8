// Writes logs as JSON lines without secrets: no headers, no bodies, no query strings.
import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const secretFields = [
  'api_key',
  'api_secret',
  'aes_key',
  'authorization',
  'cookie',
  'password',
  'purchase_code',
  'secret',
  'token',
];

/** Returns the path without the query string, which may contain an API key. */
export function stripQuery(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** Matches credentials in texts that libraries write, such as the error messages of the database driver. */
const secretText =
  /\b(?:ck_live|ck_pub|ck_test|gpk|gps|gpk_test|gps_test|cfs|cfl|cfa|cfd|cfb|cfp)_[\w-]{6,}|(?<=:\/\/[^\s:/@]*:)[^\s@]+(?=@)|[?&][^\s"'<>]*=[^\s"'<>]*/g;

export function redact(text: string): string {
  return text.replace(secretText, '[redacted]');
}

export function createLogger(options: {
  service: string;
  level: LogLevel;
  destination?: DestinationStream;
}): Logger {
  const config = {
    level: options.level,
    base: { service: options.service },
    redact: {
      paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: '[redacted]',
    },
    serializers: { err: presentError, error: presentError },
  };
  return options.destination ? pino(config, options.destination) : pino(config);
}

/**
 * Returns the type, message, code and stack of an error and of its causes. Libraries add other fields, which
 * are left out.
 */
function presentError(error: unknown): unknown {
  if (!(error instanceof Error)) return redact(String(error));
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: redact(error.message),
    ...(typeof code === 'string' && { code }),
    stack: redact(error.stack ?? ''),
    ...(error.cause instanceof Error && { cause: presentError(error.cause) }),
  };
}
