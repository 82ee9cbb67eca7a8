// Likely abuse: purchases on many hosts, callers with many refused codes, and blocked purchases.
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty, PageHeader, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { ChoiceFilter, useFilters } from '@counterfoil/ui/table/filters.tsx';
import { Rows } from '@counterfoil/ui/table/rows.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Stack } from '@mantine/core';
import { Ban, Globe, ShieldCheck } from 'lucide-react';
import { ItemName } from '../items/item-names.tsx';
import { paths } from '../paths.ts';
import { BlockButton } from '../purchases/block-button.tsx';
import { words } from '../strings.ts';
import type { LikelyAbuse, ListedPurchase } from '../wire.ts';

const text = words.abuse;

/** The thresholds that are offered. If none is chosen, the service uses its default. */
const hostChoices = ['3', '5', '10', '25', '100'];
const failureChoices = ['10', '30', '60', '300', '1000'];

const toOffered = (numbers: readonly string[]) => numbers.map((value) => ({ value, label: value }));

export default function Abuse() {
  const { id, base } = useTenant();
  const { min_hosts, min_failures } = useFilters().filters;
  const query = useGet<LikelyAbuse>(['abuse', id, min_hosts ?? '', min_failures ?? ''], `${base}/abuse`, {
    query: { min_hosts, min_failures },
  });
  return (
    <>
      <PageHeader title={words.pages.abuse} text={text.text} />
      <QueryView query={query}>
        {(abuse) => (
          <Stack gap="lg">
            <ManyHosts abuse={abuse} />
            <Callers abuse={abuse} />
            <Blocked purchases={abuse.blocked} />
          </Stack>
        )}
      </QueryView>
    </>
  );
}

function ManyHosts({ abuse }: { abuse: LikelyAbuse }) {
  const filter = (
    <ChoiceFilter name="min_hosts" label={text.leastHosts} choices={toOffered(hostChoices)} width={200} />
  );
  return (
    <Surface title={text.hosts} text={text.hostsText(abuse.min_hosts)} actions={filter} flush>
      <Rows
        label={text.hosts}
        rows={abuse.purchases}
        empty={<Empty title={text.hostsNone} icon={ShieldCheck} />}
        rowKey={({ purchase }) => purchase.id}
        columns={[
          { title: words.purchases.columns.code, render: ({ purchase }) => <Code purchase={purchase} /> },
          {
            title: words.purchases.columns.item,
            render: ({ purchase }) => <ItemName id={purchase.item_id} />,
          },
          { title: text.hostCount, align: 'right', render: ({ hosts }) => hosts },
          { title: text.refusedCount, align: 'right', render: (each) => each.refused_hosts },
          { title: text.last, render: (each) => <Moment at={each.last_at} /> },
          { title: text.block, quiet: true, render: ({ purchase }) => <BlockButton purchase={purchase} /> },
        ]}
      />
    </Surface>
  );
}

function Callers({ abuse }: { abuse: LikelyAbuse }) {
  const filter = (
    <ChoiceFilter
      name="min_failures"
      label={text.leastFailures}
      choices={toOffered(failureChoices)}
      width={200}
    />
  );
  return (
    <Surface title={text.callers} text={text.callersText(abuse.min_failures)} actions={filter} flush>
      <Rows
        label={text.callers}
        rows={abuse.callers}
        empty={<Empty title={text.callersNone} icon={Globe} />}
        rowKey={({ address }) => address}
        columns={[
          {
            title: words.requests.from,
            render: ({ address }) => <span className="cf-mono cf-break">{address}</span>,
          },
          { title: text.peak, align: 'right', render: ({ peak }) => peak },
          { title: text.failures, align: 'right', render: ({ failures }) => failures },
          { title: text.codes, align: 'right', render: ({ codes }) => codes },
          { title: text.last, render: (each) => <Moment at={each.last_at} /> },
        ]}
      />
    </Surface>
  );
}

function Blocked({ purchases }: { purchases: readonly ListedPurchase[] }) {
  return (
    <Surface title={text.blocked} text={text.blockedText} flush>
      <Rows
        label={text.blocked}
        rows={purchases}
        empty={<Empty title={text.blockedNone} icon={Ban} />}
        rowKey={({ id }) => id}
        columns={[
          { title: words.purchases.columns.code, render: (each) => <Code purchase={each} /> },
          { title: words.purchases.columns.item, render: (each) => <ItemName id={each.item_id} /> },
          { title: text.since, render: (each) => <Moment at={each.blocked_at} /> },
          { title: text.unblock, quiet: true, render: (each) => <BlockButton purchase={each} /> },
        ]}
      />
    </Surface>
  );
}

function Code({ purchase }: { purchase: ListedPurchase }) {
  const { to } = useTenant();
  return (
    <PanelLink to={to(paths.purchase, { purchase_id: purchase.id })} className="cf-mono">
      {purchase.code_hint}
    </PanelLink>
  );
}
