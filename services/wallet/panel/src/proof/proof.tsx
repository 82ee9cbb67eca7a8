// Starts a proof of a ledger, and shows its progress and the last result.
import { post } from '@counterfoil/ui/api/request.ts';
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { formatNumber } from '@counterfoil/ui/language.ts';
import { ActionButton, useAction } from '@counterfoil/ui/parts/action.tsx';
import { formatMoment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty, Facts, PageHeader, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Alert, List, Progress, Stack, Text } from '@mantine/core';
import { BookOpenCheck, CircleCheck, CircleX } from 'lucide-react';
import { words } from '../strings.ts';
import type { Proof } from '../wire.ts';

export default function ProofPage() {
  const { base } = useTenant();
  return (
    <>
      <PageHeader title={words.pages.proof} text={words.proof.text} />
      <ProofView path={`${base}/proof`} />
    </>
  );
}

const text = words.proof;

export function ProofView({ path }: { path: string }) {
  const query = useGet<Proof>(['proof', path], path, {
    refetchInterval: (asked) => (asked.state.data?.running ? 1_000 : false),
  });
  const start = useAction(() => post<Proof>(path), { refresh: ['proof', 'proofs'] });
  const isRunning = Boolean(query.data?.running);
  return (
    <Surface
      title={text.title}
      text={text.about}
      actions={
        <ActionButton
          action={start}
          label={text.run}
          size="xs"
          leftSection={<BookOpenCheck size={14} aria-hidden />}
          loading={start.isPending || isRunning}
        />
      }
    >
      <QueryView query={query}>{(proof) => <Shown proof={proof} />}</QueryView>
    </Surface>
  );
}

function Shown({ proof: { running, last } }: { proof: Proof }) {
  return (
    <Stack aria-live="polite">
      {running && (
        <Progress
          value={running.of === 0 ? 100 : (running.movements / running.of) * 100}
          aria-label={text.running}
          animated
        />
      )}
      {last ? <Verdict last={last} /> : <Empty title={text.none} icon={BookOpenCheck} />}
    </Stack>
  );
}

function Verdict({ last }: { last: NonNullable<Proof['last']> }) {
  return (
    <>
      <Alert color={last.clean ? 'pine' : 'red'} icon={last.clean ? <CircleCheck /> : <CircleX />}>
        {last.clean ? text.clean : text.flawed(last.flaws.length)}
      </Alert>
      <Facts
        facts={[
          [text.finished, formatMoment(last.finished_at)],
          [text.movements, formatNumber(last.movements)],
          [text.accounts, formatNumber(last.accounts)],
          [
            text.head,
            <span key="head" className="cf-mono cf-break">
              {last.head.hash}
            </span>,
          ],
        ]}
      />
      {last.flaws.length > 0 && (
        <List size="sm">
          {last.flaws.map((flaw) => (
            <List.Item key={`${flaw.sequence} ${flaw.account} ${flaw.problem}`}>
              <Text size="sm" className="cf-break">
                {text.flaw(flaw)}
              </Text>
            </List.Item>
          ))}
        </List>
      )}
    </>
  );
}
