// The state of the provider: circuit breakers, last failures, catalogue, registrations.
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { formatMoment, Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty, Facts, PageHeader, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { Rows } from '@counterfoil/ui/table/rows.tsx';
import { Stack, Text } from '@mantine/core';
import { BookOpenText } from 'lucide-react';
import { BreakerBadge, FailureTime } from '../parts/badges.tsx';
import { words } from '../strings.ts';
import type { Upstream } from '../wire.ts';
import { PendingRegistrations } from './pending-registrations.tsx';
import { Suspicions } from './suspicions.tsx';

const text = words.provider;

export default function AdminProvider() {
  const query = useGet<Upstream>(['upstream'], '/panel/admin/upstream', { refetchInterval: 3_000 });
  return (
    <>
      <PageHeader title={words.pages.adminProvider} text={text.text} />
      <QueryView query={query}>
        {(upstream) => (
          <Stack gap="lg">
            <Sources sources={upstream.sources} />
            <Suspicions suspicions={upstream.suspicions} />
            <Catalogue upstream={upstream} />
            <PendingRegistrations />
          </Stack>
        )}
      </QueryView>
    </>
  );
}

function Sources({ sources }: Pick<Upstream, 'sources'>) {
  return (
    <Surface title={text.sources} text={text.sourcesText} flush>
      <Rows
        label={text.sources}
        rows={sources}
        rowKey={({ source }) => source}
        columns={[
          {
            title: text.source,
            render: ({ source }) => (
              <Text size="sm" fw={550}>
                {(text.sourceNames as Record<string, string>)[source] ?? source}
              </Text>
            ),
          },
          {
            title: text.breaker,
            render: ({ breaker }) => <BreakerBadge breaker={breaker} />,
          },
          {
            title: text.lastSuccess,
            render: ({ last_success_at: at }) => (at ? <Moment at={at} /> : words.never),
          },
          {
            title: text.lastFailure,
            render: (source) => <FailureTime of={source} />,
          },
        ]}
      />
    </Surface>
  );
}

function Catalogue({ upstream: { catalogue } }: { upstream: Upstream }) {
  return (
    <Surface title={text.catalogue}>
      {catalogue ? (
        <Facts
          facts={[
            [text.catalogueSource, words.games.sources[catalogue.source]],
            [words.pages.games, String(catalogue.total)],
            [text.catalogueTaken, formatMoment(catalogue.taken_at)],
          ]}
        />
      ) : (
        <Empty title={text.noCatalogue} text={text.noCatalogueText} icon={BookOpenText} />
      )}
    </Surface>
  );
}
