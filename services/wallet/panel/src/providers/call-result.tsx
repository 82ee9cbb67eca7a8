// The result of a provider's call in words.
import { Badge } from '@mantine/core';
import { words } from '../strings.ts';
import type { ProviderCall } from '../wire.ts';

const codes: Readonly<Record<string, string | undefined>> = words.callCodes;

/**
 * A code for which the panel has no text is shown unchanged, because the service may be newer than the panel.
 */
export const formatCallCode = (code: string): string => codes[code] ?? code;

export function CallResult({ call: { code } }: { call: Pick<ProviderCall, 'code'> }) {
  return (
    <Badge color={code === null ? 'pine' : 'amber'}>
      {code === null ? words.providers.carriedOut : formatCallCode(code)}
    </Badge>
  );
}
