// Changes the fields of an item.
import { patch } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { useEffect, useState } from 'react';
import { words } from '../strings.ts';
import type { Item } from '../wire.ts';
import { DetailFields, MediaFields, PriceFields } from './item-fields.tsx';
import { mediaNames, pick, pickChanged, toBody, toLists, toValues } from './item-values.ts';

const text = words.items;

export function EditItem({ item }: { item: Item }) {
  const { base } = useTenant();
  const form = useFields(toValues(item));
  const [lists, setLists] = useState(() => toLists(item));
  const [start, setStart] = useState(() => toBody(form.values, lists));
  const body = toBody(form.values, lists);
  const changed = pickChanged(start, body);
  const isTouched = Object.keys(changed).length > 0;
  // The item may change while the form is open, through a new version or in another tab. The form then shows
  // the new values, unless the person has already typed something.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the stored item resets the form
  useEffect(() => {
    if (isTouched) return;
    form.setValues(toValues(item));
    setLists(toLists(item));
    setStart(toBody(toValues(item), toLists(item)));
  }, [item.updated_at]);
  const action = useAction(() => patch(`${base}/items/${item.id}`, changed), {
    done: words.saved,
    quiet: true,
    refresh: ['items', 'audit'],
    onDone: () => setStart(body),
  });
  /** Shows the addresses that an upload has stored, and keeps what the person has typed in other fields. */
  const showUploaded = (stored: Item) => {
    const [values, storedLists] = [toValues(stored), toLists(stored)];
    const known = toValues(item);
    const changed = mediaNames.filter((name) => values[name] !== known[name]);
    form.setValues((typed) => ({ ...typed, ...pick(values, changed) }));
    const added = storedLists.screenshots.filter((url) => !item.media.screenshots?.includes(url));
    setLists((typed) => ({ ...typed, screenshots: [...new Set([...typed.screenshots, ...added])] }));
    setStart((before) => ({ ...before, media: toBody(values, storedLists).media }));
  };
  const props = { form, lists, onLists: setLists, kind: item.kind, error: action.error };
  return (
    <ActionForm action={action} gap="lg" submit={words.save} button={{ disabled: !isTouched }}>
      <Surface title={text.details}>
        <DetailFields {...props} />
      </Surface>
      <Surface title={text.prices}>
        <PriceFields {...props} />
      </Surface>
      <Surface title={text.media} text={text.mediaText}>
        <MediaFields {...props} item={item} onUploaded={showUploaded} />
      </Surface>
    </ActionForm>
  );
}
