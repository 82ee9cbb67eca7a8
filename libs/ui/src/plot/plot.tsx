// Shows lines or bars over time. The plotting code is fetched when the first plot is shown.
import { lazy, Suspense } from 'react';
import { PageLoading } from '../parts/page.tsx';

export interface PlotProps {
  /** The description of the plot for screen readers. */
  readonly label: string;
  /** The time of each value in seconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly series: readonly {
    readonly label: string;
    /** The CSS variable of a theme colour. */
    readonly color: string;
    readonly values: readonly (number | null)[];
  }[];
  readonly bars?: boolean;
  /** Whether the plot covers only minutes. If true, its ticks have no date. */
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
