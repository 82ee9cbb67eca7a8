// Selects a player by id, or creates a new player.
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Group, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoney } from '../parts/amount.tsx';
import { words } from '../strings.ts';
import type { Player } from '../wire.ts';
import { CreateButton } from './new-player.tsx';

const text = words.players;

export function PlayerSelect(props: {
  value: string | undefined;
  onChange: (playerId: string | undefined) => void;
}) {
  const { id, base } = useTenant();
  const [typed, setTyped] = useState('');
  const [pause] = useDebouncedValue(typed, 250);
  const search = pause === props.value ? '' : pause;
  const { data } = useGet<{ players: Player[] }>(['players', id, 'choices', search], `${base}/players`, {
    query: { limit: 20, search },
    placeholderData: keepPreviousData,
    // The balance of the selected player changes during a game, so it is loaded again every 5 s.
    refetchInterval: 5_000,
  });
  const players = data?.players ?? [];
  const choices = players.map((player) => ({
    value: player.player_id,
    label: player.player_id,
    disabled: player.status === 'blocked',
  }));
  const known = players.find((player) => player.player_id === props.value);
  if (props.value !== undefined && !known)
    choices.unshift({ value: props.value, label: props.value, disabled: false });
  return (
    <Group align="flex-end" gap="sm">
      <Select
        label={words.pages.player}
        placeholder={text.search}
        description={known && text.holds(formatMoney(known.balance, known.currency))}
        data={choices}
        value={props.value ?? null}
        onChange={(value) => props.onChange(value ?? undefined)}
        searchable
        onSearchChange={setTyped}
        filter={({ options }) => options}
        nothingFoundMessage={text.none}
        flex={1}
        miw={180}
      />
      <CreateButton variant="default" miw={120} onMade={props.onChange} />
    </Group>
  );
}
