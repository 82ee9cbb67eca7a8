// Where the command is run: what it is given, and where its words go.
import type { Environment } from '@counterfoil/kit/process/config';
import type { Ground } from '../doctor/ground.ts';

export interface Place {
  readonly env: Environment;
  /** The result: one line or document to the standard output. */
  readonly print: (line: string) => void;
  /** Everything else: the standard error. */
  readonly note: (line: string) => void;
  /** How wide the terminal is; undefined where the result goes to a file or a program. */
  readonly columns: number | undefined;
  readonly readInput: () => Promise<string>;
  /** What the doctor is to see instead of this machine, where faults are planted. */
  readonly ground?: Partial<Ground>;
  /** Whether an error only says that nobody reads the result any more. */
  readonly isReaderGone?: (error: unknown) => boolean;
}
