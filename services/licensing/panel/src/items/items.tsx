// The list of items.
import { formatPrice } from '@counterfoil/ui/parts/amount.ts';
import { LinkButton, PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty } from '@counterfoil/ui/parts/page.tsx';
import { TablePage } from '@counterfoil/ui/table/cursor-table.tsx';
import { ChoiceFilter, TextFilter, toChoices, useFilters } from '@counterfoil/ui/table/filters.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Text } from '@mantine/core';
import { Package, Plus } from 'lucide-react';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { Item } from '../wire.ts';
import { ItemState } from './item-names.tsx';

const text = words.items;

export default function Items() {
  const { id, base, to } = useTenant();
  const { search, state, kind } = useFilters().filters;
  const create = (
    <LinkButton to={to(paths.newItem)} leftSection={<Plus size={16} aria-hidden />}>
      {words.pages.newItem}
    </LinkButton>
  );
  const toItem = (item: Item) => to(paths.item, { item_id: item.id });
  return (
    <TablePage<Item>
      label={words.pages.items}
      text={text.text}
      actions={create}
      queryKey={['items', id, 'table']}
      rowKey={(item) => item.id}
      rowTo={toItem}
      path={`${base}/items`}
      field="items"
      query={{ search, state, kind }}
      empty={<Empty title={text.none} text={text.noneText} icon={Package} action={create} />}
      columns={[
        {
          title: text.name,
          render: (item) => (
            <>
              <PanelLink to={toItem(item)} fw={550} className="cf-break">
                {item.name}
              </PanelLink>
              {item.waiting_codes > 0 && (
                <Text size="xs" c="amber">
                  {text.waiting(item.waiting_codes)}
                </Text>
              )}
            </>
          ),
        },
        { title: text.state, render: (item) => <ItemState state={item.state} /> },
        { title: text.kind, render: (item) => text.kinds[item.kind] },
        { title: text.version, render: (item) => item.version },
        {
          title: text.price,
          align: 'right',
          render: (item) => formatPrice(item.price.regular, item.currency),
        },
        { title: text.updated, render: (item) => <Moment at={item.updated_at} /> },
      ]}
    >
      <TextFilter name="search" label={text.search} />
      <ChoiceFilter name="state" label={text.state} choices={toChoices(text.states)} />
      <ChoiceFilter name="kind" label={text.kind} choices={toChoices(text.kinds)} />
    </TablePage>
  );
}
