// Generates codes. A large number takes several requests, and a bar shows the progress.
import { post } from '@counterfoil/ui/api/request.ts';
import { formatNumber } from '@counterfoil/ui/language.ts';
import { ActionForm, useAction } from '@counterfoil/ui/parts/action.tsx';
import { Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Button, Group, Progress, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { words } from '../strings.ts';
import type { Pool } from '../wire.ts';

const text = words.pools;

export function GenerateForm({ pool }: { pool: Pool }) {
  const { base } = useTenant();
  const [count, setCount] = useState('100');
  const [generated, setGenerated] = useState(0);
  /** The number of free codes afterwards. It stays after an error, so that a second try adds the rest. */
  const [target, setTarget] = useState<number>();
  const action = useAction(
    async () => {
      const free = target ?? pool.free + Number(count);
      setTarget(free);
      setGenerated(0);
      for (let missing = free; missing > 0; ) {
        const answer = await post<{ generated: number; missing: number }>(`${base}/pools/${pool.id}/refill`, {
          free,
        });
        missing = answer.missing;
        setGenerated((before) => before + answer.generated);
      }
    },
    { done: text.generated, quiet: true, onDone: () => setTarget(undefined) },
  );
  return (
    <Surface title={text.generate} text={text.generateText}>
      <ActionForm action={action}>
        <Group align="flex-end">
          <TextInput
            label={text.count}
            type="number"
            min={1}
            max={100_000}
            required
            value={count}
            onChange={(event) => {
              setCount(event.currentTarget.value);
              setTarget(undefined);
            }}
          />
          <Button type="submit" loading={action.isPending}>
            {text.generate}
          </Button>
        </Group>
        {action.isPending && (
          <>
            <Progress value={(100 * generated) / Number(count)} animated aria-label={text.progress} />
            <Text size="sm" role="status">
              {text.done(formatNumber(generated))}
            </Text>
          </>
        )}
      </ActionForm>
    </Surface>
  );
}
