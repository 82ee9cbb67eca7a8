// Reads a moment that a caller named in a field.
import { fail } from '../errors.ts';
import { Moment, parseMoment } from './input.ts';

export const Time = Moment;

export function parseTime(field: string, text: string): Date {
  const time = parseMoment(text);
  if (time) return time;
  throw fail('invalid_parameter', { errors: { [field]: ['is not a time.'] } });
}
