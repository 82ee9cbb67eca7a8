// The page of one pool: its stock and terms, and the forms that add, hand out and withdraw codes.
import { post } from '@counterfoil/ui/api/request.ts';
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { formatNumber } from '@counterfoil/ui/language.ts';
import { formatPrice } from '@counterfoil/ui/parts/amount.ts';
import { ConfirmButton } from '@counterfoil/ui/parts/confirm-dialog.tsx';
import { PanelLink, useParam } from '@counterfoil/ui/parts/links.tsx';
import { Facts, Figure, PageHeader, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Badge, Button, SimpleGrid, Stack } from '@mantine/core';
import { Download } from 'lucide-react';
import { ItemName } from '../items/item-names.tsx';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { Pool } from '../wire.ts';
import { DrawButton } from './draw-code.tsx';
import { GenerateForm } from './generate-form.tsx';
import { ImportForm } from './import-form.tsx';
import { PoolForm } from './pool-form.tsx';

const text = words.pools;

export default function PoolPage() {
  const { id, base } = useTenant();
  const poolId = useParam('pool_id');
  const query = useGet<{ pool: Pool }>(['pools', id, Number(poolId)], `${base}/pools/${poolId}`);
  return <QueryView query={query}>{({ pool }) => <Shown pool={pool} />}</QueryView>;
}

function Shown({ pool }: { pool: Pool }) {
  const { base, isOwner } = useTenant();
  return (
    <>
      <PageHeader
        title={pool.name}
        text={pool.is_low ? <Badge color="amber">{text.low}</Badge> : text.poolText}
        actions={
          <>
            {isOwner && (
              <Button
                component="a"
                href={`${base}/pools/${pool.id}/export`}
                download
                variant="default"
                leftSection={<Download size={16} aria-hidden />}
              >
                {text.export}
              </Button>
            )}
            <DrawButton pool={pool} />
          </>
        }
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }} mb="lg">
        <Figure label={text.free} value={formatNumber(pool.free)} />
        <Figure label={text.assigned} value={formatNumber(pool.assigned)} />
        <Figure label={text.withdrawn} value={formatNumber(pool.withdrawn)} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Stack gap="lg">
          <GenerateForm pool={pool} />
          <ImportForm pool={pool} />
        </Stack>
        <Stack gap="lg">
          <Terms pool={pool} />
          <PoolForm key={`${pool.name} ${pool.low_stock_below}`} pool={pool} />
          <Withdrawal pool={pool} />
        </Stack>
      </SimpleGrid>
    </>
  );
}

function Terms({ pool }: { pool: Pool }) {
  const { to } = useTenant();
  const { support_months: months } = pool;
  const facts = [
    [
      words.pages.item,
      <PanelLink key="item" to={to(paths.item, { item_id: pool.item_id })}>
        <ItemName id={pool.item_id} />
      </PanelLink>,
    ],
    [words.purchases.license, pool.license_type],
    [text.price, formatPrice(pool.price, pool.currency)],
    [text.months, months === undefined ? text.monthsHint : text.supportFor(months)],
  ] as const;
  return (
    <Surface title={text.terms} text={text.termsText}>
      <Facts facts={facts} />
    </Surface>
  );
}

function Withdrawal({ pool }: { pool: Pool }) {
  const { base } = useTenant();
  return (
    <Surface title={text.withdraw} text={text.withdrawText}>
      <ConfirmButton
        label={text.withdraw}
        run={() => post(`${base}/pools/${pool.id}/withdraw`)}
        done={text.withdrawnNow}
        title={text.withdraw}
        text={text.withdrawConfirm(pool.free)}
        danger
        typed={pool.name}
        button={{ disabled: pool.free === 0 }}
      />
    </Surface>
  );
}
