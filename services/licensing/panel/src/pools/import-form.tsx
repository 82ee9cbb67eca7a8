// Adds codes of the seller, one per line, and lists the codes that the service refused.
import { post } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction } from '@counterfoil/ui/parts/action.tsx';
import { Surface } from '@counterfoil/ui/parts/page.tsx';
import { Rows } from '@counterfoil/ui/table/rows.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Alert, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { words } from '../strings.ts';
import type { Pool, RefusedCode } from '../wire.ts';

const text = words.pools;

/** The number of codes in one request. Short requests stay below the size limit of the service. */
const chunkSize = 100;
/** The maximum number of refused codes that the page lists. */
const maxListed = 100;

interface Result {
  readonly added: number;
  readonly refused: readonly RefusedCode[];
}

/** Returns the codes with the numbers of their lines. Empty lines are skipped. */
const readLines = (given: string) =>
  given
    .split('\n')
    .map((code, index) => ({ code: code.trim(), line: index + 1 }))
    .filter(({ code }) => code !== '');

export function ImportForm({ pool }: { pool: Pool }) {
  const { base } = useTenant();
  const [codes, setCodes] = useState('');
  const [result, setResult] = useState<Result>();
  const action = useAction(
    async () => {
      const lines = readLines(codes);
      const total = { added: 0, refused: [] as RefusedCode[] };
      for (let from = 0; from < lines.length; from += chunkSize) {
        const chunk = lines.slice(from, from + chunkSize);
        const body = { codes: chunk.map(({ code }) => code) };
        const answer = await post<Result>(`${base}/pools/${pool.id}/codes`, body);
        total.added += answer.added;
        for (const each of answer.refused)
          total.refused.push({ ...each, position: chunk[each.position - 1]?.line ?? 0 });
      }
      return total;
    },
    {
      quiet: true,
      onDone: (total) => {
        setResult(total);
        setCodes('');
      },
    },
  );
  return (
    <Surface title={text.import} text={text.importText}>
      <Stack>
        <ActionForm action={action} submit={text.import} button={{ disabled: codes.trim() === '' }}>
          <Textarea
            label={text.codes}
            value={codes}
            autosize
            minRows={3}
            maxRows={10}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setCodes(event.currentTarget.value)}
          />
        </ActionForm>
        {result && <ImportResult result={result} />}
      </Stack>
    </Surface>
  );
}

function ImportResult({ result: { added, refused } }: { result: Result }) {
  return (
    <>
      <Alert color={refused.length === 0 ? 'pine' : 'amber'} role="status">
        {text.added(added)} {refused.length > 0 && text.refused(refused.length)}
      </Alert>
      {refused.length > 0 && (
        <Rows
          label={text.refusedCodes}
          rows={refused.slice(0, maxListed)}
          rowKey={({ position }) => position}
          empty={null}
          columns={[
            { title: text.line, align: 'right', render: ({ position }) => position },
            { title: text.code, render: (each) => <span className="cf-mono">{each.code_hint}</span> },
            {
              title: text.reason,
              render: ({ reason, pool_name }) =>
                reason === 'in_pool' ? text.inPool(pool_name) : text.reasons[reason],
            },
          ]}
        />
      )}
    </>
  );
}
