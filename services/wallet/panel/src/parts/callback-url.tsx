// The callback URL of a package, and the query of its registration.
import { get } from '@counterfoil/ui/api/request.ts';
import { CopyButton } from '@counterfoil/ui/parts/code-block.tsx';
import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Registration } from '../wire.ts';

/** `base` is the path of the package for members or for administrators. */
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
