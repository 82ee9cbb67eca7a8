// Where the provider sends callbacks, to be copied into the provider's settings.
import { get } from '@counterfoil/ui/api/request.ts';
import { CopyButton } from '@counterfoil/ui/parts/code-block.tsx';
import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Registration } from '../wire.ts';

/** `base` is where the service has the package, for members or for administrators. */
export const useRegistration = (base: string, refetchInterval: number | false = false) =>
  useQuery({
    queryKey: ['registration', base],
    queryFn: () => get<{ registration: Registration }>(`${base}/registration`),
    refetchInterval,
  });

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
