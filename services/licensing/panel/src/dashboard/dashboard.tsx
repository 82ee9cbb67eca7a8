// The dashboard: validations, sales, support that ends soon, and the first steps of a new workspace.
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { PageHeader, QueryView } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { SimpleGrid, Stack } from '@mantine/core';
import { words } from '../strings.ts';
import type { Overview } from '../wire.ts';
import { Checklist } from './checklist.tsx';
import { Sales } from './sales.tsx';
import { SupportEnding } from './support-ending.tsx';
import { Validations } from './validations.tsx';

/**
 * The page loads its data again every 3 s until the first steps are done, then every 60 s to save queries.
 */
const soonMs = 3_000;
const laterMs = 60_000;

const isSettled = (overview: Overview | undefined) =>
  overview !== undefined && Object.values(overview.progress).every(Boolean);

export default function Dashboard() {
  const { id, base, name } = useTenant();
  const query = useGet<Overview>(['overview', id], `${base}/overview`, {
    refetchInterval: ({ state }) => (isSettled(state.data) ? laterMs : soonMs),
  });
  return (
    <>
      <PageHeader title={name} text={words.dashboard.text} />
      <QueryView query={query}>
        {(overview) => (
          <Stack gap="lg">
            <Checklist progress={overview.progress} />
            <Validations overview={overview} />
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
              <Sales sales={overview.sales} />
              <SupportEnding ending={overview.support_ending} />
            </SimpleGrid>
          </Stack>
        )}
      </QueryView>
    </>
  );
}
