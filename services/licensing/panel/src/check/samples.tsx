// Code samples of the validation call, into which a revealed key can be inserted.
import { CodeTabs } from '@counterfoil/ui/parts/code-block.tsx';
import { Surface } from '@counterfoil/ui/parts/page.tsx';
import { SecretReveal } from '@counterfoil/ui/parts/secret-reveal.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Alert, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useApiKeys } from '../api-keys/use-api-keys.ts';
import { words } from '../strings.ts';
import { writeSamples } from './snippets.ts';

const text = words.check;
const placeholders = { key: 'YOUR_API_KEY', code: 'THE_PURCHASE_CODE' };

export function Samples({ code }: { code: string }) {
  const [key, setKey] = useState<string>();
  const samples = writeSamples({
    origin: window.location.origin,
    key: key ?? placeholders.key,
    code: code || placeholders.code,
  });
  return (
    <Surface title={text.call} text={text.callText}>
      <Stack>
        <FillKey onFill={setKey} />
        {key !== undefined && <Alert color="amber">{text.warning}</Alert>}
        <CodeTabs samples={samples} />
      </Stack>
    </Surface>
  );
}

function FillKey({ onFill }: { onFill: (key: string | undefined) => void }) {
  const { base, isOwner } = useTenant();
  const { data } = useApiKeys();
  const usable = (data?.api_keys ?? []).filter(
    ({ state, mode, scopes }) =>
      state === 'active' && mode === 'live' && scopes.includes('purchases:validate'),
  );
  // Lists secret keys first, because most samples run on servers.
  const keys = usable.toSorted((a, b) => b.kind.localeCompare(a.kind));
  const [chosen, setChosen] = useState<string | null>(null);
  const id = chosen ?? (keys[0] ? String(keys[0].id) : null);
  if (!isOwner) return null;
  if (data && keys.length === 0) return <Text size="sm">{text.noKeys}</Text>;
  return (
    <Group align="flex-end">
      <Select
        label={text.whichKey}
        allowDeselect={false}
        data={keys.map((key) => ({ value: String(key.id), label: `${key.name} ${key.hint}` }))}
        value={id}
        onChange={(other) => {
          setChosen(other);
          // Removes the previous key from the samples.
          onFill(undefined);
        }}
        flex="1 1 200px"
      />
      <SecretReveal
        label={text.fillLabel}
        buttonLabel={text.fill}
        size="sm"
        path={`${base}/api-keys/${id}/reveal`}
        onReveal={onFill}
      />
    </Group>
  );
}
