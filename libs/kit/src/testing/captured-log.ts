// A logger whose lines a test can read.
import { createLogger, type Logger } from '../observability/logging.ts';

export function captureLog(service = 'test'): { logger: Logger; lines: string[] } {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { logger: createLogger({ service, level: 'info', destination }), lines };
}
