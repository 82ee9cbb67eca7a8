// A plot of the sales of each day.
import { Empty, Surface } from '@counterfoil/ui/parts/page.tsx';
import { Plot } from '@counterfoil/ui/plot/plot.tsx';
import { Receipt } from 'lucide-react';
import { useMemo } from 'react';
import { words } from '../strings.ts';
import type { Overview } from '../wire.ts';

const dayMs = 86_400_000;
const days = 30;
const colors = ['--mantine-color-pine-5', '--mantine-color-blue-5', '--mantine-color-amber-5'];

export function Sales({ sales }: { sales: Overview['sales'] }) {
  const { times, series } = useMemo(() => arrange(sales), [sales]);
  const { dashboard } = words;
  return (
    <Surface title={dashboard.salesPlot} text={dashboard.salesText}>
      {sales.length === 0 ? (
        <Empty title={dashboard.noSales} text={dashboard.noSalesText} icon={Receipt} />
      ) : (
        <Plot label={dashboard.salesPlot} times={times} series={series} bars />
      )}
    </Surface>
  );
}

/** One series per currency, because amounts of different currencies cannot be added. */
function arrange(sales: Overview['sales']) {
  const today = Math.floor(Date.now() / dayMs);
  const times = Array.from({ length: days }, (_, index) => (today - days + 1 + index) * dayMs);
  const series = [...new Set(sales.map(({ currency }) => currency))].map((currency, index) => {
    const totals = new Map(
      sales.filter((sale) => sale.currency === currency).map((sale) => [Date.parse(sale.day), sale.total]),
    );
    return {
      label: currency,
      color: colors[index % colors.length] as string,
      values: times.map((time) => totals.get(time) ?? 0),
    };
  });
  return { times: times.map((time) => time / 1000), series };
}
