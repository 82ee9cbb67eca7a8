// Opens the purchase that has the typed code. The code is secret, so it is never part of a URL.
import { post } from '@counterfoil/ui/api/request.ts';
import { useAction } from '@counterfoil/ui/parts/action.tsx';
import { useGo } from '@counterfoil/ui/parts/links.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';

export function FindCode() {
  const { base, to } = useTenant();
  const go = useGo();
  const [code, setCode] = useState('');
  const action = useAction(
    () => post<{ purchase_id?: number }>(`${base}/purchases/check`, { purchase_code: code.trim() }),
    {
      refresh: [],
      onDone: ({ purchase_id }) => {
        if (purchase_id !== undefined) go(to(paths.purchase, { purchase_id }));
      },
    },
  );
  const isUnknown = action.isSuccess && action.data.purchase_id === undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (code.trim() !== '') action.mutate();
      }}
    >
      <Group gap={6} wrap="nowrap" align="flex-start">
        <TextInput
          aria-label={words.purchases.code}
          placeholder={words.purchases.code}
          value={code}
          autoComplete="off"
          spellCheck={false}
          w={230}
          error={isUnknown && words.purchases.notFound}
          onChange={(event) => {
            setCode(event.currentTarget.value);
            action.reset();
          }}
        />
        <Button type="submit" variant="default" loading={action.isPending}>
          {words.purchases.find}
        </Button>
      </Group>
    </form>
  );
}
