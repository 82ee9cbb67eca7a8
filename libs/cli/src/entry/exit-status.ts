// The exit statuses, and the status for each kind of failure. docs/reference/command-line.md documents them.

import { DataDirInUseError } from '@counterfoil/embedded-postgres/start';
import { type FieldErrors, ServiceError } from '@counterfoil/kit/http/errors';
import { DatabaseUnavailableError } from '@counterfoil/kit/postgres/db';
import { ConfigError } from '@counterfoil/kit/process/config';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import { describeRefusal } from '@counterfoil/kit/process/run-command';
import { describeFailure } from '@counterfoil/kit/process/run-main';
import { CommanderError } from 'commander';

export const exitStatus = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  notFound: 3,
  refused: 4,
  unavailable: 5,
  outcomeUnknown: 6,
} as const;
type ExitStatus = (typeof exitStatus)[keyof typeof exitStatus];

export interface Failure {
  readonly status: ExitStatus;
  readonly code: string;
  readonly msg: string;
  readonly errors?: FieldErrors;
}

/** The progress of a command. A command that has not begun, or that only reads, has changed nothing. */
export interface Progress {
  readonly began: boolean;
  readonly onlyReads: boolean;
}

const refusals = {
  usage: exitStatus.wrongUsage,
  not_found: exitStatus.notFound,
  unavailable: exitStatus.unavailable,
} as const;

export function classifyFailure(error: unknown, progress: Progress): Failure {
  if (error instanceof CommanderError) {
    const status = error.exitCode === 0 ? exitStatus.done : exitStatus.wrongUsage;
    return { status, code: 'wrong_usage', msg: error.message.replace(/^error: /, '') };
  }
  if (error instanceof CommandRefused) {
    const code = error.reason === 'usage' ? 'wrong_usage' : error.reason;
    return { status: refusals[error.reason], code, msg: error.message };
  }
  if (error instanceof ServiceError) return classifyRefusal(error);
  if (error instanceof ConfigError) {
    return { status: exitStatus.wrongUsage, code: 'wrong_settings', msg: error.message };
  }
  return { ...classifyFault(error, progress), msg: describeFailure(error) };
}

function classifyRefusal(error: ServiceError): Failure {
  const { code, status: http, details } = error;
  const msg = describeRefusal(error);
  const errors = details.errors && { errors: details.errors };
  if (code === 'outcome_unknown') return { status: exitStatus.outcomeUnknown, code, msg };
  return { status: statusOf(http), code, msg, ...errors };
}

function statusOf(http: number): ExitStatus {
  if (http === 400) return exitStatus.wrongUsage;
  if (http === 404) return exitStatus.notFound;
  if (http === 429 || http === 408 || http === 503) return exitStatus.unavailable;
  return http < 500 ? exitStatus.refused : exitStatus.failed;
}

/** The codes of system and driver errors that mean that a server is unreachable or refuses the connection. */
const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  '57P03',
  '53300',
  '3D000',
  '28P01',
  '28000',
]);
const forbiddenCodes = new Set(['EACCES', 'EPERM', 'EROFS', '42501']);

function classifyFault(error: unknown, progress: Progress): Pick<Failure, 'status' | 'code'> {
  const code = String((error as { code?: unknown } | undefined)?.code ?? '');
  const isUnreachable = error instanceof DatabaseUnavailableError || unreachableCodes.has(code);
  if (isUnreachable) {
    const neverSent = error instanceof DatabaseUnavailableError && error.neverSent;
    return progress.began && !progress.onlyReads && !neverSent
      ? { status: exitStatus.outcomeUnknown, code: 'outcome_unknown' }
      : { status: exitStatus.unavailable, code: 'unavailable' };
  }
  if (error instanceof DataDirInUseError) {
    return { status: exitStatus.unavailable, code: 'data_folder_in_use' };
  }
  if (forbiddenCodes.has(code)) return { status: exitStatus.refused, code: 'not_permitted' };
  return { status: exitStatus.failed, code: 'failed' };
}
