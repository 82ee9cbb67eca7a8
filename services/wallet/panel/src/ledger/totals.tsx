// The totals of the filtered movements, and whether they add up to zero.
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { formatNumber } from '@counterfoil/ui/language.ts';
import { formatAmount } from '@counterfoil/ui/parts/amount.ts';
import { Failed, Figure, Surface } from '@counterfoil/ui/parts/page.tsx';
import type { Filters } from '@counterfoil/ui/table/filters.tsx';
import { Rows } from '@counterfoil/ui/table/rows.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Collapse, Group, SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { ChevronDown, ChevronRight, CircleCheck, CircleX } from 'lucide-react';
import { formatKind } from '../parts/badges.tsx';
import { words } from '../strings.ts';
import type { Totals } from '../wire.ts';

const text = words.totals;

export function LedgerTotals({ wanted }: { wanted: Filters }) {
  const { id, base } = useTenant();
  const query = useGet<Totals>(['journal', id, 'totals', wanted], `${base}/journal/totals`, {
    query: wanted,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (query.isError) return <Failed error={query.error} />;
  return query.data ? <Shown totals={query.data} /> : null;
}

function Shown({ totals }: { totals: Totals }) {
  const [opened, { toggle }] = useDisclosure();
  const { changes, currency } = totals;
  const Chevron = opened ? ChevronDown : ChevronRight;
  const sides = Object.keys(text.sides) as (keyof typeof changes)[];
  const values = sides.map((side) => formatAmount(changes[side], currency));
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        {sides.map((side, index) => (
          <Figure key={side} label={text.sides[side]} value={values[index]} sameRow={values} />
        ))}
      </SimpleGrid>
      <Group justify="space-between" gap="xs">
        <AddsUp totals={totals} />
        <UnstyledButton onClick={toggle} aria-expanded={opened}>
          <Group gap={4}>
            <Chevron size={14} aria-hidden />
            <Text size="sm">{text.byKind}</Text>
          </Group>
        </UnstyledButton>
      </Group>
      <Collapse expanded={opened}>
        <Surface flush>
          <ByKind totals={totals} />
        </Surface>
      </Collapse>
    </Stack>
  );
}

function AddsUp({ totals }: { totals: Totals }) {
  const { stretch, currency, complete, shortfall } = totals;
  const count = text.movements(formatNumber(totals.movements));
  const show = (value: string) => formatAmount(value, currency);
  const sum = stretch
    ? text.stretch(show(stretch.opening), show(stretch.change), show(stretch.closing))
    : text.zero;
  const holds = stretch?.adds_up ?? true;
  const Icon = holds ? CircleCheck : CircleX;
  return (
    <Group gap={6} role="status">
      <Icon size={16} aria-hidden color={`var(--mantine-color-${holds ? 'pine' : 'red'}-6)`} />
      <Text size="sm">
        {count} {holds ? sum : text.broken} {!complete && text.cut}{' '}
        {Number(shortfall) > 0 && text.shortfall(show(shortfall))}
      </Text>
    </Group>
  );
}

function ByKind({ totals }: { totals: Totals }) {
  return (
    <Rows
      label={text.byKind}
      rows={totals.kinds}
      rowKey={({ kind, moved }) => `${kind} ${moved}`}
      columns={[
        { title: words.ledger.kind, render: ({ kind }) => formatKind(kind) },
        { title: words.ledger.result, render: ({ moved }) => (moved ? text.moved : text.notMoved) },
        { title: words.proof.movements, align: 'right', render: ({ count }) => formatNumber(count) },
        { title: text.amount, align: 'right', render: ({ amount }) => formatAmount(amount, totals.currency) },
      ]}
    />
  );
}
