// Draws a plot with uPlot, in the colours of the theme and at the available width.
import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { locale } from '../language.ts';
import { formatAmount } from '../parts/amount.ts';
import { formatMoment } from '../parts/moment.tsx';
import { words } from '../strings.ts';
import type { PlotProps } from './plot.tsx';
import 'uplot/dist/uPlot.min.css';

const readColor = (name: string) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim() || name;

const withSeconds = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const daySeconds = 86_400;

/** Formats ticks as times without dates, for a plot of a few minutes. */
const formatTimes = (_plot: uPlot, times: number[]): string[] =>
  times.map((at) => withSeconds.format(at * 1000));

/**
 * Formats the labels of ticks. If the ticks are at least a day apart, each label is a date. Otherwise each
 * label is a time, and the first label of each day also has the date.
 */
function formatDates(_plot: uPlot, times: number[], ...rest: number[]): string[] {
  const [, , step = 0] = rest;
  const days = times.map((at) => day.format(at * 1000));
  if (step >= daySeconds) return days;
  return times.map((at, index) => {
    const label = time.format(at * 1000);
    return days[index] === days[index - 1] ? label : `${label}\n${days[index]}`;
  });
}

const formatFigures = (_plot: uPlot, figures: number[]): string[] =>
  figures.map((figure) => formatAmount(figure));

function optionsOf(props: PlotProps, width: number, scheme: string): uPlot.Options {
  const line = scheme === 'dark' ? '--mantine-color-dark-5' : '--mantine-color-gray-2';
  const grid = { stroke: readColor(line), width: 1 };
  const axis = { stroke: readColor('--mantine-color-dimmed'), grid, ticks: grid };
  const paths = props.bars && uPlot.paths.bars?.({ size: [0.7, 24], radius: 0.15 });
  return {
    width,
    height: 240,
    cursor: { y: false },
    legend: { live: true },
    // The first tick of each day has the date as a second line of its label. A date is up to 110 px wide, so
    // the ticks are at least 110 px apart.
    axes: [
      { ...axis, space: 110, values: props.isRecent ? formatTimes : formatDates },
      { ...axis, size: 44, values: formatFigures },
    ],
    scales: { y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.1)] } },
    series: [
      { label: words.plot.time, value: (_plot, at) => (at === null ? '' : formatMoment(at * 1000)) },
      ...props.series.map(({ label, color }) => ({
        label,
        stroke: readColor(color),
        width: 2,
        value: (_plot: uPlot, value: number | null) => (value === null ? '' : formatAmount(value)),
        ...(paths && { paths, fill: readColor(color) }),
        points: { show: false },
      })),
    ],
  };
}

export default function DrawnPlot(props: PlotProps) {
  const { ref, width } = useElementSize();
  const host = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme();
  useEffect(() => {
    if (!host.current || width === 0) return;
    const data = [props.times, ...props.series.map(({ values }) => values)];
    const plot = new uPlot(optionsOf(props, width, scheme), data as uPlot.AlignedData, host.current);
    return () => plot.destroy();
  }, [props, width, scheme]);
  return (
    <div ref={ref} className="cf-plot" role="img" aria-label={props.label}>
      <div ref={host} />
    </div>
  );
}
