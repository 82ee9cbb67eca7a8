// The states of movements, players and packages as badges.
import { Badge, Group, Text } from '@mantine/core';
import { words } from '../strings.ts';
import type { Package, Player } from '../wire.ts';

const kinds: Record<string, string> = words.kinds;
const results: Record<string, string> = words.results;

export const formatKind = (kind: string): string => kinds[kind] ?? kind;
export const formatResult = (result: string): string => results[result] ?? result;

const refusals = ['insufficient_funds', 'package_credit_exhausted', 'balance_limit'];

const colorOf = (result: string): string => {
  if (refusals.includes(result)) return 'red';
  return result === 'applied' ? 'pine' : 'gray';
};

/** An applied movement needs no badge. */
function Outcome({ result }: { result: string }) {
  if (result === 'applied') return <Text size="sm">{formatResult(result)}</Text>;
  return (
    <Badge variant="light" color={colorOf(result)}>
      {formatResult(result)}
    </Badge>
  );
}

export function Kind({ kind, result }: { kind: string; result?: string }) {
  return (
    <Group gap={6}>
      <Text size="sm" fw={550}>
        {formatKind(kind)}
      </Text>
      {result !== undefined && result !== 'applied' && <Outcome result={result} />}
    </Group>
  );
}

export function PlayerStatus({ status }: Pick<Player, 'status'>) {
  return (
    <Badge variant="light" color={status === 'active' ? 'pine' : 'red'}>
      {words.players.statuses[status]}
    </Badge>
  );
}

const packageColors = { pending: 'amber', approved: 'pine', suspended: 'red' } as const;

export function PackageState({ found }: { found: Package }) {
  return (
    <Group gap={6}>
      <Badge variant="light" color={packageColors[found.state]}>
        {words.admin.states[found.state]}
      </Badge>
      {found.sandbox && <Badge variant="default">{words.admin.sandbox}</Badge>}
    </Group>
  );
}
