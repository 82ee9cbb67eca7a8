// The list of all packages, with state and credit.
import { fillPath } from '@counterfoil/ui/panel.ts';
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty } from '@counterfoil/ui/parts/page.tsx';
import { TablePage } from '@counterfoil/ui/table/cursor-table.tsx';
import { ChoiceFilter, TextFilter, toChoices, useFilters } from '@counterfoil/ui/table/filters.tsx';
import { Badge, Stack, Text } from '@mantine/core';
import { Boxes } from 'lucide-react';
import { formatMoney } from '../parts/amount.tsx';
import { PackageState } from '../parts/badges.tsx';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { Package } from '../wire.ts';
import { IssueButton } from './issue-package.tsx';

const text = words.admin;
const toPackage = ({ id }: Package) => fillPath(paths.adminPackage, { managed_id: id });

export default function AdminPackages() {
  const { state, search, sandbox } = useFilters().filters;
  return (
    <TablePage<Package>
      label={words.pages.adminPackages}
      text={text.packagesText}
      actions={<IssueButton />}
      queryKey={['admin-packages']}
      rowKey={({ id }) => id}
      rowTo={toPackage}
      path="/panel/admin/packages"
      field="packages"
      query={{ state, search, sandbox }}
      // The text for an empty list has no button that issues a package. Once the package is listed, the text
      // disappears. The dialog of such a button would disappear too, while it still shows the credentials.
      empty={<Empty title={text.none} text={text.noneText} icon={Boxes} />}
      columns={[
        {
          title: text.name,
          render: (each) => (
            <Stack gap={0}>
              <PanelLink to={toPackage(each)} fw={550} className="cf-break">
                {each.name}
              </PanelLink>
              <Text c="dimmed" className="cf-mono cf-break cf-uid">
                {each.uid}
              </Text>
            </Stack>
          ),
        },
        { title: text.state, render: (each) => <PackageState found={each} /> },
        {
          title: words.pages.credit,
          align: 'right',
          render: (each) => <span className="cf-amount">{formatMoney(each.balance, each.currency)}</span>,
        },
        { title: text.alert, render: (each) => <CreditLevel found={each} /> },
        { title: text.made, render: (each) => <Moment at={each.created_at} /> },
      ]}
    >
      <TextFilter name="search" label={text.search} />
      <ChoiceFilter name="state" label={text.state} choices={toChoices(text.states)} />
      <ChoiceFilter name="sandbox" label={text.kind} choices={toChoices(text.kinds)} />
    </TablePage>
  );
}

function CreditLevel({ found }: { found: Package }) {
  const { credit_alert: alert } = found;
  if (!alert) return words.nothing;
  return <Badge color={alert.level === 'low' ? 'amber' : 'red'}>{words.banner.short[alert.level]}</Badge>;
}
