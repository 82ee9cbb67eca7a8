// Runs the main function of a process. A failure is printed, and the process exits with status 1.

import { redact } from '../observability/logging.ts';
import { DatabaseUnavailableError } from '../postgres/db.ts';
import { PlainError } from './plain-error.ts';

export function runMain(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    process.stderr.write(`${describeFailure(error)}\n`, () => process.exit(1));
  });
}

/** Sentences for database failures that an operator can fix. The key is the SQLSTATE or the system code. */
const databaseFaults: Record<string, string> = {
  '28P01': 'The database refuses the user or the password of its address.',
  '28000': 'The database refuses the user of its address.',
  '3D000': 'The database that the address names does not exist.',
  ENOTFOUND: 'The host of the database address is not known.',
};

/** Returns a sentence for failures that an operator can fix, and the stack for all other failures. */
export function describeFailure(given: unknown): string {
  if (!(given instanceof Error)) return redact(String(given));
  const error =
    given instanceof DatabaseUnavailableError && given.cause instanceof Error ? given.cause : given;
  const { code, address, port } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  if (code === 'EADDRINUSE') {
    return `Port ${port} on ${address} is taken by another program; stop it or set another port.`;
  }
  if (code === 'ECONNREFUSED') return `The database does not answer at ${address}:${port}.`;
  const fault = databaseFaults[code ?? ''];
  if (fault !== undefined) return fault;
  if (error instanceof PlainError) return redact(error.message);
  return redact(error.stack ?? error.message);
}
