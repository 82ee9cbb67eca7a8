// The card of a game: picture, facts, and a button that plays it.
import { formatPercent } from '@counterfoil/ui/language.ts';
import { Badge, Box, Button, Stack, Text } from '@mantine/core';
import { Dices, Play } from 'lucide-react';
import { useState } from 'react';
import { words } from '../strings.ts';
import type { Game } from '../wire.ts';

const text = words.games;

export function GameCard({ game, onPlay }: { game: Game; onPlay: () => void }) {
  const isOff = game.status !== null && game.status !== 'active';
  return (
    <Box component="article" className="cf-surface cf-game" aria-label={game.game_name}>
      <Picture game={game} />
      <Stack gap={4} p="sm" flex={1}>
        <Text fw={600} size="sm" lh={1.3} lineClamp={2} title={game.game_name}>
          {game.game_name}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={1} title={game.provider ?? ''}>
          {game.provider}
        </Text>
        <Text size="xs" mb={4}>
          {[...(game.category ? [game.category] : []), ...listFacts(game)].join(' · ')}
        </Text>
        {game.status !== null && isOff && (
          <Badge size="sm" color="amber">
            {text.statuses[game.status]}
          </Badge>
        )}
        <Button
          mt="auto"
          size="xs"
          variant="light"
          disabled={isOff}
          onClick={onPlay}
          leftSection={<Play size={14} aria-hidden />}
          aria-label={text.playOf(game.game_name)}
        >
          {text.play}
        </Button>
      </Stack>
    </Box>
  );
}

const listFacts = ({ rtp, has_demo: hasDemo }: Game): string[] => [
  ...(rtp === null ? [] : [text.rtp(formatPercent(rtp / 100))]),
  ...(hasDemo ? [text.demo] : []),
];

/** The picture of a game, loaded from the provider without a referrer. */
function Picture({ game }: { game: Game }) {
  const [failed, setFailed] = useState(false);
  if (!game.image || failed)
    return (
      <div className="cf-game-blank">
        <Dices size={28} strokeWidth={1.5} aria-hidden />
      </div>
    );
  return (
    <img
      src={game.image}
      alt=""
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setFailed(true)}
    />
  );
}
