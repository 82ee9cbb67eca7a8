// How long ago, as people write it: 30m, 1h, 2d.
import { Type } from 'typebox';

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const form = /^([1-9][0-9]{0,3})([mhd])$/;

export const Age = Type.String({ pattern: form.source, description: 'Such as 30m, 1h or 2d.' });

/** In milliseconds; undefined for what is no age. */
export function findAge(text: string): number | undefined {
  const [, count, unit] = form.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * units[unit as keyof typeof units];
}

export function parseAge(text: string): number {
  const age = findAge(text);
  if (age === undefined) throw new Error('the schema lets no such age through');
  return age;
}
