// Packages that are not yet registered with the provider, and the last error of each.
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { fillPath } from '@counterfoil/ui/panel.ts';
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { Rows } from '@counterfoil/ui/table/rows.tsx';
import { PlugZap } from 'lucide-react';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { Registration } from '../wire.ts';

const text = words.provider;

interface Pending {
  readonly package_id: number;
  readonly name: string;
  readonly registration: Registration;
}

export function PendingRegistrations() {
  const query = useGet<{ registrations: Pending[] }>(['registrations'], '/panel/admin/registrations', {
    refetchInterval: 5_000,
  });
  return (
    <Surface title={text.registrations} text={text.registrationsText} flush>
      <QueryView query={query}>{(data) => <Table rows={data.registrations} />}</QueryView>
    </Surface>
  );
}

function Table({ rows }: { rows: readonly Pending[] }) {
  return (
    <Rows
      label={text.registrations}
      rows={rows}
      empty={<Empty title={text.allKnown} icon={PlugZap} />}
      rowKey={({ package_id: id }) => id}
      columns={[
        {
          title: words.admin.name,
          render: (each) => (
            <PanelLink to={fillPath(paths.adminPackage, { managed_id: each.package_id })}>
              {each.name}
            </PanelLink>
          ),
        },
        { title: words.admin.attempts, render: ({ registration }) => registration.attempts },
        {
          title: words.admin.nextTry,
          render: ({ registration: { next_try_at: at } }) => at && <Moment at={at} />,
        },
        {
          title: words.provider.lastFailure,
          render: ({ registration }) => registration.last_error ?? words.none,
        },
      ]}
    />
  );
}
