// Lines or bars over time; the plotting code is fetched when the first plot is shown.
import { lazy, Suspense } from 'react';
import { PageLoading } from '../parts/page.tsx';

export interface PlotProps {
  /** A description for screen readers. */
  readonly label: string;
  /** Seconds since 1970, ascending, one per value. */
  readonly times: readonly number[];
  readonly series: readonly {
    readonly label: string;
    /** The CSS variable of a theme colour. */
    readonly color: string;
    readonly values: readonly (number | null)[];
  }[];
  readonly bars?: boolean;
  /** The plot covers minutes, so ticks have no date. */
  readonly isRecent?: boolean;
}

const Drawn = lazy(() => import('./drawn-plot.tsx'));

export function Plot(props: PlotProps) {
  return (
    <Suspense fallback={<PageLoading />}>
      <Drawn {...props} />
    </Suspense>
  );
}
