// The allowed domains, the allowed addresses of callers and of the provider, and the maximum stake.
import { describeProblem } from '@counterfoil/ui/api/problem.ts';
import { patch } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction } from '@counterfoil/ui/parts/action.tsx';
import { Hint, PageHeader, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Stack, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { useSettings } from '../package.ts';
import { StakeLimit } from '../parts/stake-limit.tsx';
import { words } from '../strings.ts';
import type { Package } from '../wire.ts';

const text = words.access;
const lists = ['domains', 'caller_addresses', 'callback_addresses'] as const;
type ListName = (typeof lists)[number];

export default function Access() {
  const settings = useSettings();
  return (
    <>
      <PageHeader title={words.pages.access} text={text.text} />
      <QueryView query={settings}>
        {(data) => (
          <Stack gap="lg">
            {lists.map((name) => (
              <ListForm key={name} name={name} found={data.package} />
            ))}
            <MaxStake key={data.package.max_stake} found={data.package} />
          </Stack>
        )}
      </QueryView>
    </>
  );
}

function MaxStake({ found }: { found: Package }) {
  const { base, isOwner } = useTenant();
  return (
    <StakeLimit
      about={words.stakeLimit.ofPackage}
      limit={found.max_stake}
      currency={found.currency}
      canChange={isOwner}
      save={(max_stake) => patch(base, { max_stake })}
    />
  );
}

function ListForm({ name, found }: { name: ListName; found: Package }) {
  const { base, isOwner } = useTenant();
  const [entries, setEntries] = useState(found[name]);
  const action = useAction(() => patch(base, { [name]: entries }), { done: text.saved, quiet: true });
  const { title, text: about, placeholder } = text.lists[name];
  // The service's error names an entry by its index; the message shows the text of the entry.
  const nameEntry = (field: string) => entries[Number(field.split('.')[1])] ?? field;
  const isChanged = JSON.stringify(entries) !== JSON.stringify(found[name]);
  return (
    <Surface title={title} text={about}>
      <ActionForm
        action={action}
        describe={(error) => describeProblem(error, nameEntry)}
        gap="sm"
        submit={isOwner && words.save}
        button={{ disabled: !isChanged }}
      >
        <TagsInput
          aria-label={title}
          placeholder={isOwner ? placeholder : ''}
          value={entries}
          onChange={setEntries}
          disabled={!isOwner}
          splitChars={[',', ' ']}
          acceptValueOnBlur
        />
        {entries.length === 0 && <Hint>{text.empty[name]}</Hint>}
      </ActionForm>
    </Surface>
  );
}
