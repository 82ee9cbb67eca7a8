// Launches a game with a player, in demo or real mode, and shows the player's movements.
import { post } from '@counterfoil/ui/api/request.ts';
import { ActionButton, ActionError, useAction } from '@counterfoil/ui/parts/action.tsx';
import { formatMoment } from '@counterfoil/ui/parts/moment.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Alert, Badge, Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { PlayerSelect } from '../players/player-select.tsx';
import { words } from '../strings.ts';
import type { Game, Launch } from '../wire.ts';
import { WatchPlayer } from './watch-player.tsx';

const text = words.play;

export function PlayDialog({ game, onClose }: { game: Game | undefined; onClose: () => void }) {
  return (
    <Modal opened={game !== undefined} onClose={onClose} title={game?.game_name} size={960}>
      {game && <PlayGame game={game} />}
    </Modal>
  );
}

function PlayGame({ game }: { game: Game }) {
  const { base, isOwner } = useTenant();
  const [playerId, setPlayerId] = useState<string>();
  const [mode, setMode] = useState(game.has_demo ? 'demo' : 'real');
  const action = useAction(
    () => {
      const body = { player_id: playerId, game_id: game.game_id, mode };
      return post<Launch>(`${base}/launch`, body);
    },
    { quiet: true, refresh: ['audit'] },
  );
  const modes = [
    { value: 'demo', label: words.games.demo, disabled: !game.has_demo },
    { value: 'real', label: text.real, disabled: !isOwner },
  ];
  return (
    <Stack>
      <Text size="sm">{isOwner ? text.text : text.memberText}</Text>
      <ActionError action={action} />
      <PlayerSelect value={playerId} onChange={setPlayerId} />
      <Group justify="space-between">
        <SegmentedControl
          data={modes}
          value={mode}
          onChange={(value) => {
            setMode(value);
            action.reset();
          }}
          aria-label={text.mode}
        />
        <ActionButton action={action} label={text.launch} disabled={playerId === undefined} />
      </Group>
      {action.data && <Launched launch={action.data} />}
      {action.data && playerId && <WatchPlayer playerId={playerId} isDemo={action.data.mode === 'demo'} />}
    </Stack>
  );
}

/** The one-time address is secret, so it is opened without a referrer and an opener. */
function Launched({ launch }: { launch: Launch }) {
  return (
    <Alert color="pine" title={text.ready}>
      <Stack gap="xs" align="flex-start">
        <Group gap="xs">
          <Badge variant="default">{text.sources[launch.source]}</Badge>
          <Text size="sm">{text.until(formatMoment(launch.launch_url_expires_at))}</Text>
        </Group>
        <Button
          component="a"
          href={launch.launch_url}
          target="_blank"
          rel="noopener noreferrer"
          leftSection={<ExternalLink size={16} aria-hidden />}
        >
          {text.open}
        </Button>
      </Stack>
    </Alert>
  );
}
