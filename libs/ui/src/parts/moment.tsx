// Formats times for people, and converts the days of date inputs.
import { Text, Tooltip } from '@mantine/core';
import { locale } from '../language.ts';

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });

function formatDistance(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [unit, size] = steps.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  return relative.format(Math.trunc(seconds / size), unit);
}

export const formatMoment = (at: string | number): string => absolute.format(new Date(at));

const dayMs = 86_400_000;

/**
 * Formats a time relative to now (“3 days ago”) if it is between 6 days ago and 60 days ahead, otherwise as a
 * date.
 */
function formatShort(at: string): string {
  const distance = Date.parse(at) - Date.now();
  return distance < -6 * dayMs || distance > 60 * dayMs ? day.format(new Date(at)) : formatDistance(distance);
}

export function Moment({ at }: { at: string }) {
  return (
    <Tooltip label={formatMoment(at)} withArrow>
      <Text component="time" inherit dateTime={at}>
        {formatShort(at)}
      </Text>
    </Tooltip>
  );
}

/**
 * Returns the last second of the day in UTC, so that the whole day counts. Returns undefined for an empty
 * input.
 */
export const endOfDay = (day: string): string | undefined => (day === '' ? undefined : `${day}T23:59:59Z`);

export const toDay = (moment: string | undefined): string => moment?.slice(0, 10) ?? '';
