// Shows the callback URL of a package, and reads the state of its registration with the provider.
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { CopyButton } from '@counterfoil/ui/parts/code-block.tsx';
import { Group, Text } from '@mantine/core';
import type { Registration } from '../wire.ts';

/** `base` is the API path of the package: the path for members or the path for administrators. */
export const useRegistration = (base: string, refetchInterval: number | false = false) =>
  useGet<{ registration: Registration }>(['registration', base], `${base}/registration`, { refetchInterval });

export function CallbackUrl({ url }: { url: string }) {
  return (
    <Group gap="xs">
      <Text size="sm" className="cf-mono cf-break">
        {url}
      </Text>
      <CopyButton value={url} />
    </Group>
  );
}
