// The states of movements, players, packages and sources of games as badges.
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Noted } from '@counterfoil/ui/table/rows.tsx';
import { Badge, Group, Text } from '@mantine/core';
import { words } from '../strings.ts';
import type { GameSource, Package, Player } from '../wire.ts';

const kinds: Record<string, string> = words.kinds;
const results: Record<string, string> = words.results;

export const formatKind = (kind: string): string => kinds[kind] ?? kind;
export const formatResult = (result: string): string => results[result] ?? result;

export const isRefused = (result: string): boolean =>
  ['insufficient_funds', 'package_credit_exhausted', 'balance_limit'].includes(result);

/**
 * Shows the kind of a movement and a mark for promo money. The result is shown only if it is not `applied`.
 */
export function Kind({ kind, result, purse }: { kind: string; result: string; purse?: 'promo' | undefined }) {
  return (
    <Group gap={6}>
      <Text size="sm" fw={550}>
        {formatKind(kind)}
      </Text>
      {result !== 'applied' && (
        <Badge color={isRefused(result) ? 'red' : 'gray'}>{formatResult(result)}</Badge>
      )}
      <PromoBadge purse={purse} />
    </Group>
  );
}

export function PromoBadge({ purse }: { purse?: 'promo' | undefined }) {
  return purse === 'promo' && <Badge variant="default">{words.ledger.promo}</Badge>;
}

export function PlayerStatus({ status }: Pick<Player, 'status'>) {
  return <Badge color={status === 'active' ? 'pine' : 'red'}>{words.players.statuses[status]}</Badge>;
}

const packageColors = { pending: 'amber', approved: 'pine', suspended: 'red' } as const;

export function PackageState({ found }: { found: Package }) {
  return (
    <Group gap={6}>
      <Badge color={packageColors[found.state]}>{words.admin.states[found.state]}</Badge>
      {found.sandbox && <Badge variant="default">{words.admin.sandbox}</Badge>}
    </Group>
  );
}

const breakerColors = { closed: 'pine', half_open: 'amber', open: 'red' } as const;

export function BreakerBadge({ breaker }: Pick<GameSource['list'], 'breaker'>) {
  return <Badge color={breakerColors[breaker]}>{words.provider.breakers[breaker]}</Badge>;
}

const reasons: Readonly<Record<string, string | undefined>> = words.failureReasons;

/** The time of the last failed request to a source, with the reason in words. */
export function FailureTime({
  of: { last_failure_at: at, last_failure: reason },
}: {
  of: Pick<GameSource['list'], 'last_failure_at' | 'last_failure'>;
}) {
  if (!at) return words.none;
  return (
    <Noted note={reason && (reasons[reason] ?? reason)} maw={360}>
      <Moment at={at} />
    </Noted>
  );
}
