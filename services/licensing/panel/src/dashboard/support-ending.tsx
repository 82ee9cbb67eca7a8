// Lists the purchases whose support ends within 30 days, at most ten.
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty, Surface } from '@counterfoil/ui/parts/page.tsx';
import { Rows } from '@counterfoil/ui/table/rows.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { LifeBuoy } from 'lucide-react';
import { ItemName } from '../items/item-names.tsx';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { Overview } from '../wire.ts';

export function SupportEnding({ ending }: { ending: Overview['support_ending'] }) {
  const { to } = useTenant();
  const { dashboard } = words;
  return (
    <Surface title={dashboard.support} text={dashboard.supportText} flush>
      <Rows
        label={dashboard.support}
        rows={ending.next}
        empty={<Empty title={dashboard.supportNone} icon={LifeBuoy} />}
        rowKey={({ id }) => id}
        columns={[
          {
            title: words.requests.code,
            render: (each) => (
              <PanelLink to={to(paths.purchase, { purchase_id: each.id })} className="cf-mono">
                {each.code_hint}
              </PanelLink>
            ),
          },
          { title: words.pages.item, render: (each) => <ItemName id={each.item_id} /> },
          { title: words.purchase.buyer, render: ({ buyer }) => buyer.email || buyer.name || words.none },
          { title: dashboard.ends, render: (each) => <Moment at={each.supported_until} /> },
        ]}
      />
    </Surface>
  );
}
