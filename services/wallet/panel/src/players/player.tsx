// The page of one player: balance, status, verification, statement.
import { post } from '@counterfoil/ui/api/request.ts';
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { ConfirmButton } from '@counterfoil/ui/parts/confirm-dialog.tsx';
import { LinkButton } from '@counterfoil/ui/parts/links.tsx';
import { formatMoment } from '@counterfoil/ui/parts/moment.tsx';
import { Facts, PageHeader, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { useFilters } from '@counterfoil/ui/table/filters.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Group, SimpleGrid, Stack } from '@mantine/core';
import { formatMoney } from '../parts/amount.tsx';
import { PlayerStatus } from '../parts/badges.tsx';
import { StakeLimit } from '../parts/stake-limit.tsx';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { PlayerDetails as Player } from '../wire.ts';
import { AdjustButton } from './adjust-balance.tsx';
import { Statement } from './statement.tsx';
import { VerifyBalance } from './verify-balance.tsx';

const text = words.players;

export default function PlayerPage() {
  const { id, base } = useTenant();
  const { player_id = '' } = useFilters().filters;
  const query = useGet<{ player: Player }>(['player', id, player_id], `${base}/player`, {
    query: { player_id },
    refetchInterval: 5_000,
  });
  return (
    <QueryView query={query}>
      {({ player }) => (
        <>
          <PageHeader title={player.player_id} text={player.name} actions={<Actions player={player} />} />
          <Stack gap="lg">
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
              <About player={player} />
              <VerifyBalance playerId={player.player_id} />
            </SimpleGrid>
            <MaxStake key={player.max_stake} player={player} />
            <Statement playerId={player.player_id} />
            {player.promo_balance !== undefined && <Statement playerId={player.player_id} purse="promo" />}
          </Stack>
        </>
      )}
    </QueryView>
  );
}

function About({ player }: { player: Player }) {
  const { promo_balance: balance, currency } = player;
  const promo: [string, string][] =
    balance === undefined ? [] : [[text.promoBalance, formatMoney(balance, currency)]];
  return (
    <Surface title={text.about}>
      <Facts
        facts={[
          [text.balance, formatMoney(player.balance, player.currency)],
          ...promo,
          [text.status, <PlayerStatus key="status" status={player.status} />],
          [text.since, formatMoment(player.created_at)],
        ]}
      />
    </Surface>
  );
}

function MaxStake({ player: { player_id, max_stake: limit, currency } }: { player: Player }) {
  const { base } = useTenant();
  return (
    <StakeLimit
      about={words.stakeLimit.ofPlayer}
      limit={limit}
      currency={currency}
      canChange
      save={(max_stake) => post(`${base}/player/max-stake`, { player_id, max_stake })}
    />
  );
}

function Actions({ player }: { player: Player }) {
  const { isOwner, to } = useTenant();
  const { player_id } = player;
  return (
    <Group gap="xs">
      <LinkButton variant="default" to={to(paths.ledger, { player_id })}>
        {text.inLedger}
      </LinkButton>
      {isOwner && <AdjustButton player={player} />}
      <BlockButton player={player} />
    </Group>
  );
}

function BlockButton({ player: { player_id, status } }: { player: Player }) {
  const { base } = useTenant();
  const isActive = status === 'active';
  const verb = isActive ? text.block : text.unblock;
  return (
    <ConfirmButton
      label={verb}
      run={() => post(`${base}/player/status`, { player_id, status: isActive ? 'blocked' : 'active' })}
      done={isActive ? text.blocked : text.unblocked}
      title={`${verb}: ${player_id}`}
      text={isActive ? text.blockText : text.unblockText}
      danger={isActive}
    />
  );
}
