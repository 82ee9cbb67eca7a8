// Creates an item as a draft.
import { post } from '@counterfoil/ui/api/request.ts';
import { ActionError, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { useGo } from '@counterfoil/ui/parts/links.tsx';
import { PageHeader, Surface } from '@counterfoil/ui/parts/page.tsx';
import { toChoices } from '@counterfoil/ui/table/filters.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Button, Group, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { Item } from '../wire.ts';
import { DetailFields, MediaFields, PriceFields } from './item-fields.tsx';
import { toBody, toLists, toValues } from './item-values.ts';

const text = words.items;

export default function NewItem() {
  const { base, to } = useTenant();
  const go = useGo();
  const form = useFields(toValues());
  const [lists, setLists] = useState(() => toLists());
  const [kind, setKind] = useState('image');
  const action = useAction(
    () => post<{ item: Item }>(`${base}/items`, { ...toBody(form.values, lists), kind }),
    { done: text.created, quiet: true, onDone: ({ item }) => go(to(paths.item, { item_id: item.id })) },
  );
  const props = { form, lists, onLists: setLists, kind, error: action.error };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        action.mutate();
      }}
    >
      <PageHeader title={words.pages.newItem} text={text.newText} />
      <Stack gap="lg" maw={820}>
        <Surface title={text.details}>
          <Stack>
            <Select
              label={text.kind}
              description={text.kindText}
              allowDeselect={false}
              data={toChoices(text.kinds)}
              value={kind}
              onChange={(value) => value && setKind(value)}
            />
            <DetailFields {...props} />
          </Stack>
        </Surface>
        <Surface title={text.prices}>
          <PriceFields {...props} />
        </Surface>
        <Surface title={text.media} text={text.mediaNewText}>
          <MediaFields {...props} />
        </Surface>
        <ActionError action={action} />
        <Group>
          <Button type="submit" loading={action.isPending}>
            {text.createDraft}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
