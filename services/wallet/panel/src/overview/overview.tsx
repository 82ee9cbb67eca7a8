// The first page of a package: credit, live figures, newest movements.
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { Figure, PageHeader, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Stack } from '@mantine/core';
import { MovementTable } from '../ledger/movements.tsx';
import { useCredit } from '../package.ts';
import { formatMoney } from '../parts/amount.tsx';
import { paths } from '../paths.ts';
import { describeRunway } from '../shell/banner.tsx';
import { words } from '../strings.ts';
import type { Movement } from '../wire.ts';
import { LiveFigures } from './live-figures.tsx';

const text = words.overview;

export default function Overview() {
  const { name } = useTenant();
  return (
    <>
      <PageHeader title={name} text={text.text} />
      <Stack gap="lg">
        <CreditLine />
        <LiveFigures />
        <Newest />
      </Stack>
    </>
  );
}

function CreditLine() {
  const { id, to } = useTenant();
  const { data: credit } = useCredit(id);
  if (!credit) return null;
  return (
    <Figure
      label={words.credit.left}
      value={formatMoney(credit.balance, credit.currency)}
      note={
        <>
          {describeRunway(credit)}{' '}
          <PanelLink to={to(paths.credit)} underline="always">
            {text.toCredit}
          </PanelLink>
        </>
      }
    />
  );
}

function Newest() {
  const { id, base, to } = useTenant();
  const query = useGet<{ movements: Movement[] }>(['journal', id, 'newest'], `${base}/journal`, {
    query: { limit: 8 },
    refetchInterval: 3_000,
  });
  return (
    <Surface
      title={text.newest}
      actions={
        <PanelLink to={to(paths.ledger)} fz="sm">
          {text.toLedger}
        </PanelLink>
      }
      flush
    >
      <QueryView query={query}>{(data) => <MovementTable rows={data.movements} />}</QueryView>
    </Surface>
  );
}
