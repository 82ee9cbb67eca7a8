// Shows the valid and invalid validations per hour, with totals.
import { get } from '@counterfoil/ui/api/request.ts';
import { formatNumber, locale } from '@counterfoil/ui/language.ts';
import { formatPrice } from '@counterfoil/ui/parts/amount.ts';
import { Empty, Figure, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { Plot } from '@counterfoil/ui/plot/plot.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { SegmentedControl, SimpleGrid } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChartColumn } from 'lucide-react';
import { useMemo, useState } from 'react';
import { words } from '../strings.ts';
import type { Overview } from '../wire.ts';
import { dropRunningHour, fillHours, type Hour, hourMs } from './hours.ts';

function summarizeSales(totals: Overview['totals']): { value: string; note: string } {
  const count = totals.reduce((sum, each) => sum + each.count, 0);
  const sums = totals.map(({ currency, total }) => formatPrice(total, currency));
  return { value: sums.join(' + ') || '0', note: words.dashboard.count(count) };
}

const { dashboard } = words;
const periods = [
  { value: '24', label: dashboard.day },
  { value: '168', label: dashboard.week },
  { value: '720', label: dashboard.month },
];
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });

const startOf = (hours: number) =>
  new Date((Math.floor(Date.now() / hourMs) - hours + 1) * hourMs).toISOString();

const sum = (hours: readonly Hour[], name: 'valid' | 'invalid') =>
  hours.reduce((total, hour) => total + hour[name], 0);

export function Validations({ overview }: { overview: Overview }) {
  const { id, base } = useTenant();
  const [period, setPeriod] = useState('24');
  const query = useQuery({
    queryKey: ['usage', id, period],
    queryFn: () => {
      const from = `${startOf(Number(period)).slice(0, 19)}Z`;
      return get<{ hours: Hour[] }>(`${base}/usage`, { query: { from } });
    },
    refetchInterval: 15_000,
    placeholderData: keepPreviousData,
  });
  const hours = query.data?.hours ?? [];
  const [valid, invalid] = [sum(hours, 'valid'), sum(hours, 'invalid')];
  const share = (part: number) =>
    valid + invalid === 0 ? '' : dashboard.share(percent.format(part / (valid + invalid)));
  return (
    <>
      <SimpleGrid cols={{ base: 2, lg: 4 }}>
        <Figure label={dashboard.validFigure} value={formatNumber(valid)} note={share(valid)} />
        <Figure label={dashboard.invalidFigure} value={formatNumber(invalid)} note={share(invalid)} />
        <Figure label={dashboard.sales} {...summarizeSales(overview.totals)} />
        <Figure label={dashboard.supportFigure} value={formatNumber(overview.support_ending.count)} />
      </SimpleGrid>
      <Surface
        title={dashboard.validations}
        text={dashboard.validationsText}
        actions={
          <SegmentedControl
            size="xs"
            aria-label={dashboard.period}
            data={periods}
            value={period}
            onChange={setPeriod}
          />
        }
      >
        <QueryView query={query}>
          {(data) => <HourPlot hours={data.hours} period={Number(period)} />}
        </QueryView>
      </Surface>
    </>
  );
}

function HourPlot({ hours, period }: { hours: readonly Hour[]; period: number }) {
  const filled = useMemo(() => dropRunningHour(fillHours(hours, startOf(period), period)), [hours, period]);
  const series = useMemo(
    () => [
      { label: dashboard.valid, color: '--mantine-color-pine-5', values: filled.map(({ valid }) => valid) },
      {
        label: dashboard.invalid,
        color: '--mantine-color-amber-5',
        values: filled.map(({ invalid }) => invalid),
      },
    ],
    [filled],
  );
  const times = useMemo(() => filled.map(({ hour }) => Date.parse(hour) / 1000), [filled]);
  if (hours.length === 0)
    return <Empty title={dashboard.noCalls} text={dashboard.noCallsText} icon={ChartColumn} />;
  return <Plot label={dashboard.plotLabel} times={times} series={series} />;
}
