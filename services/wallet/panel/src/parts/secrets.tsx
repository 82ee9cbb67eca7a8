// Several secrets that were just made, each under its name.
import { SecretText } from '@counterfoil/ui/parts/secret-reveal.tsx';
import { Stack, Text } from '@mantine/core';

export type NamedSecret = readonly [label: string, secret: string];

export function Secrets({ secrets }: { secrets: readonly NamedSecret[] }) {
  return secrets.map(([label, secret]) => (
    <Stack key={label} gap={4}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <SecretText secret={secret} label={label} />
    </Stack>
  ));
}
