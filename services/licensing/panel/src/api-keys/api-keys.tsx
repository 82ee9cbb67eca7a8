// The API keys of a workspace: generate, retrieve, rotate, revoke (specification, section 5).
import { Empty, PageHeader, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Stack, Switch } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { words } from '../strings.ts';
import type { ApiKey } from '../wire.ts';
import { GenerateButton } from './generate-key.tsx';
import { KeyTable } from './key-table.tsx';
import { OverlapMeter } from './overlap-meter.tsx';
import { useApiKeys } from './use-api-keys.ts';

export default function ApiKeys() {
  const { isOwner } = useTenant();
  const query = useApiKeys({ watch: true });
  return (
    <>
      <PageHeader
        title={words.pages.apiKeys}
        text={words.keys.text}
        actions={isOwner && <GenerateButton />}
      />
      <QueryView query={query}>{({ api_keys: keys }) => <Keys keys={keys} />}</QueryView>
    </>
  );
}

function Keys({ keys }: { keys: readonly ApiKey[] }) {
  const { isOwner } = useTenant();
  const [showsEnded, setShowsEnded] = useState(false);
  const hasEnded = keys.some(({ state }) => state !== 'active');
  const shown = keys.filter(({ state }) => showsEnded || state === 'active');
  return (
    <Stack gap="lg">
      <OverlapMeter keys={keys} />
      <Surface
        title={words.keys.list}
        flush
        actions={
          hasEnded && (
            <Switch
              label={words.keys.ended}
              checked={showsEnded}
              onChange={(event) => setShowsEnded(event.currentTarget.checked)}
            />
          )
        }
      >
        {shown.length === 0 ? (
          <Empty
            title={words.keys.none}
            text={words.keys.noneText}
            icon={KeyRound}
            action={isOwner && <GenerateButton />}
          />
        ) : (
          <KeyTable keys={shown} />
        )}
      </Surface>
    </Stack>
  );
}
