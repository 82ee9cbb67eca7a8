// Replaced keys that still work, with their last use, and whether revoking them is safe.
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Hint, Surface } from '@counterfoil/ui/parts/page.tsx';
import { Box, Group, Progress, Stack, Text } from '@mantine/core';
import { words } from '../strings.ts';
import type { ApiKey } from '../wire.ts';
import { LastUse } from './key-table.tsx';
import { RevokeButton } from './revoke-key.tsx';

const quietMs = 3_600_000;

export function measureQuiet(key: Pick<ApiKey, 'last_used'>, nowMs: number) {
  if (!key.last_used) return { part: 1, isSafe: true, isUnused: true };
  const passedMs = Math.max(0, nowMs - Date.parse(key.last_used.at));
  return { part: Math.min(1, passedMs / quietMs), isSafe: passedMs >= quietMs, isUnused: false };
}

const text = words.keys;

export function OverlapMeter({ keys }: { keys: readonly ApiKey[] }) {
  const replaced = keys.filter(({ state, replaced_by }) => state === 'active' && replaced_by !== undefined);
  if (replaced.length === 0) return null;
  const nameOf = (id: number | undefined) => keys.find((key) => key.id === id)?.name ?? '';
  return (
    <Surface title={text.meter} text={text.meterText}>
      <Stack gap="lg">
        {replaced.map((key) => (
          <OldKey key={key.id} apiKey={key} successor={nameOf(key.replaced_by)} />
        ))}
      </Stack>
    </Surface>
  );
}

function OldKey({ apiKey: key, successor }: { apiKey: ApiKey; successor: string }) {
  const { part, isSafe, isUnused } = measureQuiet(key, Date.now());
  const why = isUnused ? text.unusedText : isSafe ? text.safeText : text.waitText;
  return (
    <Group justify="space-between" align="flex-start" gap="md">
      <Box flex="1 1 260px">
        <Text size="sm" fw={550}>
          {key.name} <span className="cf-mono">{key.hint}</span>
        </Text>
        <Hint>
          {text.replacedBy(successor)}
          {key.expires_at && ' · '}
          {key.expires_at && (
            <>
              {text.endsIn} <Moment at={key.expires_at} />
            </>
          )}
        </Hint>
        <Progress
          mt="xs"
          value={part * 100}
          color={isSafe ? 'pine' : 'amber'}
          aria-label={isSafe ? text.safe : text.wait}
        />
        <Text size="sm" mt={6} role="status">
          <strong>{isSafe ? text.safe : text.wait}.</strong> {why}
        </Text>
      </Box>
      <Stack gap={2}>
        <Hint>{text.lastUsed}</Hint>
        <LastUse apiKey={key} />
      </Stack>
      <RevokeButton apiKey={key} />
    </Group>
  );
}
