// What a service that dies at a named point leaves behind: where it died, and how far its batch was.
import { readFile, rm } from 'node:fs/promises';

export interface CrashReport {
  readonly point: string;
  /** In the batch that it died in. */
  readonly orders: number;
  /** Of its answers, those that had left. */
  readonly answered: number;
  /** Answers that were ready, and never left. */
  readonly heldBack: number;
}

/** Undefined where the process ended otherwise; taken away, so that none is read twice. */
export async function readCrashReport(file: string): Promise<CrashReport | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  await rm(file, { force: true });
  return text === undefined ? undefined : (JSON.parse(text) as CrashReport);
}
