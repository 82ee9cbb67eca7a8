// Changes the fields of an item.
import { describeProblem } from '@counterfoil/ui/api/problem.ts';
import { patch } from '@counterfoil/ui/api/request.ts';
import { useAction } from '@counterfoil/ui/api/use-action.ts';
import { Surface } from '@counterfoil/ui/parts/surface.tsx';
import { useFields } from '@counterfoil/ui/parts/use-fields.ts';
import { Alert, Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { words } from '../strings.ts';
import type { Item } from '../wire.ts';
import { useWorkspace } from '../workspace.ts';
import { DetailFields, MediaFields, PriceFields } from './item-fields.tsx';
import { toBody, toLists, toValues } from './item-values.ts';

const text = words.items;

export function EditItem({ item }: { item: Item }) {
  const { base } = useWorkspace();
  const form = useFields(toValues(item));
  const [lists, setLists] = useState(() => toLists(item));
  const action = useAction(() => patch(`${base}/items/${item.id}`, toBody(form.values, lists)), {
    done: words.saved,
    quiet: true,
    refresh: ['items', 'audit'],
  });
  const props = { form, lists, onLists: setLists, kind: item.kind, error: action.error };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        action.mutate();
      }}
    >
      <Stack gap="lg">
        <Surface title={text.details}>
          <DetailFields {...props} />
        </Surface>
        <Surface title={text.prices}>
          <PriceFields {...props} />
        </Surface>
        <Surface title={text.media} text={text.mediaText}>
          <MediaFields {...props} />
        </Surface>
        {action.isError && <Alert color="red">{describeProblem(action.error)}</Alert>}
        <Group>
          <Button type="submit" loading={action.isPending}>
            {words.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
