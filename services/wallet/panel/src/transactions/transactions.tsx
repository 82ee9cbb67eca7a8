// The transaction inspector: every attempt of a transaction id, and the calls of connected providers.
import { isProblem } from '@counterfoil/ui/api/problem.ts';
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { Empty, Failed, PageHeader, PageLoading, Surface } from '@counterfoil/ui/parts/page.tsx';
import { useFilters } from '@counterfoil/ui/table/filters.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { ScanSearch } from 'lucide-react';
import { useEffect, useState } from 'react';
import { CallDetails } from '../providers/connection-calls.tsx';
import { words } from '../strings.ts';
import type { Inspected, NamedCall } from '../wire.ts';
import { Attempts } from './attempts.tsx';

const text = words.inspector;

export default function Transactions() {
  const { id } = useFilters().filters;
  return (
    <>
      <PageHeader title={words.pages.transactions} text={text.text} />
      <Stack gap="lg">
        <Search />
        {id ? <Found transactionId={id} /> : <Empty title={text.empty} icon={ScanSearch} />}
      </Stack>
    </>
  );
}

function Search() {
  const { filters, set } = useFilters();
  const current = filters.id ?? '';
  const [value, setValue] = useState(current);
  useEffect(() => setValue(current), [current]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        set({ id: value.trim() || undefined });
      }}
    >
      <Group align="flex-end" gap="sm">
        <TextInput
          label={words.adjust.id}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
          maxLength={128}
          flex={1}
          miw={200}
          maw={520}
        />
        <Button type="submit">{text.inspect}</Button>
      </Group>
    </form>
  );
}

function Calls({ calls }: { calls: readonly NamedCall[] }) {
  return (
    <Surface title={text.calls} text={text.callsText}>
      <Stack gap="xl">
        {calls.map((call) => (
          <section key={call.id} aria-label={call.operation}>
            <Text fw={600} mb="xs" className="cf-break">
              {call.operation}
            </Text>
            <CallDetails call={call} />
          </section>
        ))}
      </Stack>
    </Surface>
  );
}

function Found({ transactionId }: { transactionId: string }) {
  const { id, base } = useTenant();
  const query = useGet<Inspected>(
    ['transaction', id, transactionId],
    `${base}/transactions/${encodeURIComponent(transactionId)}`,
    { retry: false },
  );
  const { error } = query;
  if (isProblem(error, 'transaction_not_found'))
    return <Empty title={text.none} text={text.noneText} icon={ScanSearch} />;
  if (error) return <Failed error={error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <PageLoading />;
  return (
    <>
      <Surface title={transactionId} text={text.found(query.data)}>
        <Attempts found={query.data} />
      </Surface>
      {query.data.calls.length > 0 && <Calls calls={query.data.calls} />}
    </>
  );
}
