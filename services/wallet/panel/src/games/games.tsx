// The lobby: the games of the provider, their source, and filters.
import { get } from '@counterfoil/ui/api/request.ts';
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { formatMoment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty, Failed, Hint, PageHeader, PageLoading } from '@counterfoil/ui/parts/page.tsx';
import { ChoiceFilter, TextFilter, useFilters } from '@counterfoil/ui/table/filters.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Badge, Button, Center, Group, Stack, Tooltip } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Dices } from 'lucide-react';
import { useMemo, useState } from 'react';
import { words } from '../strings.ts';
import type { Game, GameList } from '../wire.ts';
import { GameCard } from './game-card.tsx';
import { PlayDialog } from './play-game.tsx';

const text = words.games;
const pageSize = 48;
const sourceColors = { private: 'pine', public: 'blue', stale: 'amber' } as const;

export default function Games() {
  const { id, base } = useTenant();
  const { search, provider, category } = useFilters().filters;
  const wanted = { search, provider, category };
  const [chosen, choose] = useState<Game>();
  const query = useInfiniteQuery({
    queryKey: ['games', id, wanted],
    queryFn: ({ pageParam, signal }) => {
      const ask = { query: { ...wanted, limit: pageSize, cursor: pageParam }, signal };
      return get<GameList>(`${base}/games`, ask);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  const games = query.data?.pages.flatMap((page) => page.games) ?? [];
  const first = query.data?.pages[0];
  return (
    <>
      <PageHeader title={words.pages.games} text={text.text} actions={first && <Source list={first} />} />
      <Stack gap="lg">
        <GameFilters />
        {query.isError && <Failed error={query.error} onRetry={() => void query.refetch()} />}
        {query.isPending && <PageLoading />}
        {first && games.length === 0 && <Empty title={text.none} text={text.noneText} icon={Dices} />}
        <div className="cf-games">
          {games.map((game) => (
            <GameCard key={game.game_id} game={game} onPlay={() => choose(game)} />
          ))}
        </div>
        {query.hasNextPage && (
          <Center>
            <Button
              variant="default"
              loading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {text.more}
            </Button>
          </Center>
        )}
      </Stack>
      <PlayDialog game={chosen} onClose={() => choose(undefined)} />
    </>
  );
}

function Source({ list }: { list: GameList }) {
  return (
    <Group gap="xs">
      <Hint size="sm">{text.total(list.total)}</Hint>
      <Tooltip
        label={`${text.sourceTexts[list.source]} ${formatMoment(list.updated_at)}`}
        events={{ hover: true, focus: true, touch: true }}
        multiline
      >
        <Badge color={sourceColors[list.source]} size="lg" tabIndex={0}>
          {text.sources[list.source]}
        </Badge>
      </Tooltip>
    </Group>
  );
}

/** The choices of the filters come from the first 1,000 games; the search covers all games. */
function GameFilters() {
  const { id, base } = useTenant();
  const { data } = useGet<GameList>(['games', id, 'choices'], `${base}/games`, {
    query: { limit: 1000 },
    staleTime: 300_000,
  });
  const choices = useMemo(() => {
    const namesOf = (pick: (game: Game) => string | null) =>
      [...new Set((data?.games ?? []).flatMap((game) => pick(game) ?? []))]
        .sort()
        .map((name) => ({ value: name, label: name }));
    return {
      providers: namesOf(({ provider }) => provider),
      categories: namesOf(({ category }) => category),
    };
  }, [data]);
  return (
    <Group gap="sm">
      <TextFilter name="search" label={text.search} />
      <ChoiceFilter name="provider" label={words.pages.adminProvider} choices={choices.providers} />
      <ChoiceFilter name="category" label={text.category} choices={choices.categories} />
    </Group>
  );
}
