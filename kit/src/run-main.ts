// Runs a process's main function; a failure is said in plain words and ends it with status 1.
import { redact } from './logging.ts';
import { PlainError } from './plain-error.ts';

export function runMain(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    process.stderr.write(`${describe(error)}\n`, () => process.exit(1));
  });
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return redact(String(error));
  const { code, address, port } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  if (code === 'EADDRINUSE') {
    return `Port ${port} on ${address} is taken by another program; stop it or set another port.`;
  }
  if (code === 'ECONNREFUSED') return `The database does not answer at ${address}:${port}.`;
  if (error instanceof PlainError) return redact(error.message);
  return redact(error.stack ?? error.message);
}
