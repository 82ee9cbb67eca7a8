// The ledger: movements with the balance after each, filters, totals, CSV export.
import { writeQuery } from '@counterfoil/ui/api/request.ts';
import { Empty, PageHeader, Surface } from '@counterfoil/ui/parts/page.tsx';
import { CursorTable } from '@counterfoil/ui/table/cursor-table.tsx';
import { ChoiceFilter, TextFilter, toChoices, useFilters } from '@counterfoil/ui/table/filters.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { Download, NotebookTabs } from 'lucide-react';
import { words } from '../strings.ts';
import type { Movement } from '../wire.ts';
import { readLedgerFilters } from './ledger-filters.ts';
import { movementColumns } from './movements.tsx';
import { LedgerTotals } from './totals.tsx';

const text = words.ledger;

export default function Ledger() {
  const { id, base } = useTenant();
  const { filters } = useFilters();
  const wanted = readLedgerFilters(filters);
  return (
    <>
      <PageHeader
        title={words.pages.ledger}
        text={text.text}
        actions={
          <Button
            component="a"
            href={`${base}/journal.csv${writeQuery(wanted)}`}
            download
            variant="default"
            leftSection={<Download size={16} aria-hidden />}
          >
            {text.export}
          </Button>
        }
      />
      <Stack gap="lg">
        <LedgerTotals wanted={wanted} />
        <Surface flush>
          <Group p="sm" gap="sm">
            <TextFilter name="player_id" label={text.playerFilter} width={190} />
            {filters.player_id && (
              <ChoiceFilter name="purse" label={text.purse} choices={toChoices(text.purseFilter)} />
            )}
            <ChoiceFilter name="kind" label={text.kind} choices={toChoices(text.kindFilter)} />
            <ChoiceFilter
              name="result"
              label={text.result}
              choices={toChoices(text.resultFilter)}
              width={140}
            />
            <TextFilter name="game_id" label={text.gameFilter} width={170} />
            <DayFilter name="from" label={text.from} />
            <DayFilter name="to" label={text.to} />
          </Group>
          <CursorTable<Movement>
            label={words.pages.ledger}
            queryKey={['journal', id]}
            rowKey={(each) => each.sequence}
            path={`${base}/journal`}
            field="movements"
            query={wanted}
            empty={<Empty title={text.none} text={text.noneText} icon={NotebookTabs} />}
            columns={movementColumns}
          />
        </Surface>
      </Stack>
    </>
  );
}

function DayFilter({ name, label }: { name: string; label: string }) {
  const { filters, set } = useFilters();
  return (
    <Group gap={6} wrap="nowrap" w={{ base: '100%', xs: 'auto' }}>
      <Text size="sm" c="dimmed" component="label" htmlFor={`day-${name}`} miw={38}>
        {label}
      </Text>
      <TextInput
        id={`day-${name}`}
        type="date"
        value={filters[name] ?? ''}
        onChange={(event) => set({ [name]: event.currentTarget.value || undefined })}
        w={{ base: '100%', xs: 150 }}
      />
    </Group>
  );
}
