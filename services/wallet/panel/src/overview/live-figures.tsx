// Live figures of the last minutes: bets, wins, revenue, response time, queue.
import { formatNumber } from '@counterfoil/ui/language.ts';
import { formatAmount } from '@counterfoil/ui/parts/amount.ts';
import { Empty, Figure, PageLoading, Surface } from '@counterfoil/ui/parts/page.tsx';
import { Plot } from '@counterfoil/ui/plot/plot.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Badge, SimpleGrid } from '@mantine/core';
import { Activity } from 'lucide-react';
import { useMemo } from 'react';
import { words } from '../strings.ts';
import type { Figures } from '../wire.ts';
import { fillSeconds } from './fill-seconds.ts';
import { type LiveState, useLive } from './use-live.ts';

const text = words.live;
const colors: Record<LiveState, string> = { waiting: 'gray', live: 'pine', lost: 'amber' };

export function LiveFigures() {
  const { base } = useTenant();
  const { figures, state } = useLive(base);
  return (
    <>
      {figures && <Totals figures={figures} />}
      <Surface
        title={text.title}
        text={text.text}
        actions={
          <Badge variant="dot" color={colors[state]} role="status">
            {text.states[state]}
          </Badge>
        }
      >
        {figures ? <LivePlot figures={figures} /> : <PageLoading />}
      </Surface>
    </>
  );
}

const describeLatency = ({ p50, p95 }: Figures['latency_ms']) =>
  p50 === null || p95 === null ? text.noAnswers : text.latency(formatNumber(p50), formatNumber(p95));

/** Shows the amount of rolled-back bets. Because of this amount, the revenue differs from bets minus wins. */
const describeGivenBack = ({ given_back: amount, currency }: Figures) =>
  Number(amount) === 0 ? currency : text.afterGivenBack(currency, formatAmount(amount, currency));

function Totals({ figures }: { figures: Figures }) {
  const { currency, latency_ms: latency } = figures;
  const p95 = latency.p95 === null ? words.nothing : text.within(formatNumber(latency.p95));
  return (
    <SimpleGrid cols={{ base: 2, md: 5 }} spacing="sm" className="cf-figures">
      <Figure label={text.bets} value={formatAmount(figures.bets, currency)} note={currency} />
      <Figure label={text.wins} value={formatAmount(figures.wins, currency)} note={currency} />
      <Figure
        label={text.revenue}
        value={formatAmount(figures.revenue, currency)}
        note={describeGivenBack(figures)}
      />
      <Figure label={text.answers} value={p95} note={describeLatency(latency)} />
      <Figure
        label={text.queue}
        value={formatNumber(figures.queue)}
        note={text.movements(formatNumber(figures.movements), formatNumber(figures.refused))}
      />
    </SimpleGrid>
  );
}

function LivePlot({ figures }: { figures: Figures }) {
  const filled = useMemo(() => fillSeconds(figures), [figures]);
  const series = useMemo(
    () => [
      { label: text.bets, color: '--mantine-color-pine-5', values: filled.bets },
      { label: text.wins, color: '--mantine-color-amber-5', values: filled.wins },
    ],
    [filled],
  );
  if (figures.seconds.length === 0) return <Empty title={text.none} text={text.noneText} icon={Activity} />;
  return <Plot label={text.plotLabel} times={filled.times} series={series} isRecent />;
}
