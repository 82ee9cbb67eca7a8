// The page of one purchase: code, buyer, state and actions.
import { post } from '@counterfoil/ui/api/request.ts';
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { ActionButton, useAction } from '@counterfoil/ui/parts/action.tsx';
import { formatPrice } from '@counterfoil/ui/parts/amount.ts';
import { PanelLink, useParam } from '@counterfoil/ui/parts/links.tsx';
import { formatMoment, Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Facts, Hint, PageHeader, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { SecretText } from '@counterfoil/ui/parts/secret-reveal.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { SimpleGrid, Stack } from '@mantine/core';
import { ItemName } from '../items/item-names.tsx';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { Purchase } from '../wire.ts';
import { ActivationsCard } from './activations-card.tsx';
import { BlockCard } from './block-button.tsx';
import { BuyerForm } from './buyer-form.tsx';
import { PurchaseActions, PurchaseState } from './purchase-actions.tsx';
import { ReissueCard } from './reissue-card.tsx';
import { SupportForm } from './support-form.tsx';

const text = words.purchase;

export default function PurchasePage() {
  const { id, base } = useTenant();
  const purchaseId = useParam('purchase_id');
  const query = useGet<{ purchase: Purchase }>(
    ['purchases', id, Number(purchaseId)],
    `${base}/purchases/${purchaseId}`,
  );
  return <QueryView query={query}>{({ purchase }) => <Shown purchase={purchase} />}</QueryView>;
}

function Shown({ purchase }: { purchase: Purchase }) {
  const { to } = useTenant();
  const { buyer } = purchase;
  const facts = [
    [
      words.pages.item,
      <PanelLink key="item" to={to(paths.item, { item_id: purchase.item_id })}>
        <ItemName id={purchase.item_id} />
      </PanelLink>,
    ],
    [words.purchases.license, purchase.license_type],
    [words.purchases.price, formatPrice(purchase.price, purchase.currency)],
    [text.sold, formatMoment(purchase.date)],
    [text.buyer, [buyer.name, buyer.email].filter(Boolean).join(' · ') || words.none],
    [text.support, purchase.supported_until ? formatMoment(purchase.supported_until) : text.noSupport],
    [text.downloaded, purchase.downloaded_at ? <Moment key="at" at={purchase.downloaded_at} /> : text.notYet],
    [words.items.updated, <Moment key="changed" at={purchase.updated_at} />],
  ] as const;
  return (
    <>
      <PageHeader
        title={`${words.pages.purchase} ${purchase.code_hint}`}
        text={<PurchaseState {...purchase} />}
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Stack gap="lg">
          <Surface title={text.code}>
            <SecretText secret={purchase.purchase_code} label={text.code} />
          </Surface>
          <Surface title={words.pages.purchase}>
            <Facts facts={facts} />
          </Surface>
        </Stack>
        <Stack gap="lg">
          <PurchaseActions purchase={purchase} />
          <BuyerForm key={`buyer ${buyer.name} ${buyer.email}`} purchase={purchase} />
          {(purchase.state === 'active' || purchase.state === 'disputed') && (
            <ReissueCard key={purchase.code_hint} purchase={purchase} />
          )}
          {(purchase.state === 'active' || purchase.state === 'disputed' || purchase.blocked_at !== '') && (
            <BlockCard purchase={purchase} />
          )}
          <ActivationsCard purchaseId={purchase.id} />
          {purchase.state === 'active' && (
            <>
              <SupportForm purchase={purchase} />
              {purchase.blocked_at === '' && <DownloadLink purchase={purchase} />}
            </>
          )}
        </Stack>
      </SimpleGrid>
    </>
  );
}

function DownloadLink({ purchase }: { purchase: Purchase }) {
  const { base } = useTenant();
  const action = useAction(() => post<{ url: string }>(`${base}/purchases/${purchase.id}/download-links`), {
    refresh: ['audit'],
  });
  return (
    <Surface title={text.link}>
      <Stack align="flex-start">
        <Hint size="sm">{text.linkText}</Hint>
        {action.data ? (
          <SecretText secret={action.data.url} label={text.link} />
        ) : (
          <ActionButton action={action} label={text.makeLink} variant="default" />
        )}
      </Stack>
    </Surface>
  );
}
