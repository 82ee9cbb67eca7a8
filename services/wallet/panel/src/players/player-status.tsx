// Whether a player may bet.
import { Badge } from '@mantine/core';
import { words } from '../strings.ts';
import type { Player } from '../wire.ts';

export function PlayerStatus({ status }: Pick<Player, 'status'>) {
  return (
    <Badge variant="light" color={status === 'active' ? 'pine' : 'red'}>
      {words.players.statuses[status]}
    </Badge>
  );
}
