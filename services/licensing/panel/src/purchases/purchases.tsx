// The list of purchases, with filters by code, buyer, host, item and state.
import { formatPrice } from '@counterfoil/ui/parts/amount.ts';
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty } from '@counterfoil/ui/parts/page.tsx';
import { TablePage } from '@counterfoil/ui/table/cursor-table.tsx';
import { ChoiceFilter, TextFilter, toChoices, useFilters } from '@counterfoil/ui/table/filters.tsx';
import { Noted } from '@counterfoil/ui/table/rows.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Receipt } from 'lucide-react';
import { ItemName, useNewestItems } from '../items/item-names.tsx';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { ListedPurchase } from '../wire.ts';
import { FindCode } from './find-code.tsx';
import { IssueButton } from './issue-purchase.tsx';
import { PurchaseState } from './purchase-actions.tsx';
import { TransferButtons } from './transfer-buttons.tsx';

const text = words.purchases;

export default function Purchases() {
  const { id, base, to } = useTenant();
  const { item_id, state, buyer, host: typedHost } = useFilters().filters;
  // A text with @ is an e-mail address. An incomplete address is not used as a filter.
  const buyer_email = buyer && /^[^\s@]+@[^\s@]+$/.test(buyer) ? buyer : undefined;
  const buyer_name = buyer?.includes('@') ? undefined : buyer;
  // The text `https://` is the beginning of an address and contains no host yet.
  const host = typedHost && /^(?:https?:\/\/)?[^\s/]+/i.test(typedHost) ? typedHost : undefined;
  const toPurchase = (purchase: ListedPurchase) => to(paths.purchase, { purchase_id: purchase.id });
  return (
    <TablePage<ListedPurchase>
      label={words.pages.purchases}
      text={text.text}
      actions={
        <>
          <TransferButtons />
          <IssueButton />
        </>
      }
      queryKey={['purchases', id]}
      rowKey={(purchase) => purchase.id}
      rowTo={toPurchase}
      path={`${base}/purchases`}
      field="purchases"
      query={{ buyer_email, buyer_name, host, item_id, state }}
      empty={<Empty title={text.none} text={text.noneText} icon={Receipt} action={<IssueButton />} />}
      columns={[
        {
          title: text.columns.code,
          render: (purchase) => (
            <PanelLink to={toPurchase(purchase)} className="cf-mono">
              {purchase.code_hint}
            </PanelLink>
          ),
        },
        { title: text.columns.item, render: (each) => <ItemName id={each.item_id} /> },
        { title: text.columns.buyer, render: ({ buyer }) => <Buyer {...buyer} /> },
        {
          title: text.columns.price,
          align: 'right',
          render: ({ price, currency }) => formatPrice(price, currency),
        },
        { title: text.columns.state, render: (each) => <PurchaseState {...each} /> },
        { title: text.columns.date, render: (each) => <Moment at={each.date} /> },
      ]}
    >
      <FindCode />
      <TextFilter name="buyer" label={text.buyerSearch} />
      <TextFilter name="host" label={text.hostSearch} width={200} />
      <ItemFilter />
      <ChoiceFilter name="state" label={text.state} choices={toChoices(text.states)} width={150} />
    </TablePage>
  );
}

function Buyer({ name, email }: { name: string; email: string }) {
  return (
    <Noted note={name !== '' && email}>
      <span className="cf-break">{name || email || words.none}</span>
    </Noted>
  );
}

function ItemFilter() {
  const { data } = useNewestItems();
  const choices = (data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  return <ChoiceFilter name="item_id" label={words.pages.item} choices={choices} width={200} />;
}
