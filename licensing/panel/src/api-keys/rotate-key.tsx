// Rotates a key: a new one takes its place, the old one goes on for the overlap.
import { describeProblem } from '@counterfoil/ui/api/problem.ts';
import { post } from '@counterfoil/ui/api/request.ts';
import { useAction } from '@counterfoil/ui/api/use-action.ts';
import { SecretText } from '@counterfoil/ui/parts/secret-reveal.tsx';
import { Alert, Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { words } from '../strings.ts';
import type { ApiKey } from '../wire.ts';
import { useWorkspace } from '../workspace.ts';

const text = words.keys;

interface Props {
  readonly apiKey: ApiKey;
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function RotateDialog(props: Props) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={text.rotateTitle(props.apiKey.name)}
      size="lg"
      closeOnClickOutside={false}
    >
      {props.opened && <Rotate {...props} />}
    </Modal>
  );
}

function Rotate({ apiKey: key, onClose }: Props) {
  const { base } = useWorkspace();
  const [overlap, setOverlap] = useState('24h');
  const action = useAction(
    () => post<{ secret: string }>(`${base}/api-keys/${key.id}/rotate`, { overlap }),
    { quiet: true },
  );
  if (action.data) {
    return (
      <Stack>
        <Text fw={600}>{text.rotated}</Text>
        <SecretText secret={action.data.secret} label={text.keyLabel} />
        <Text size="sm" c="dimmed">
          {text.rotatedText}
        </Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>{text.done}</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        action.mutate();
      }}
    >
      <Stack>
        <Text size="sm">{text.rotateText}</Text>
        {action.isError && <Alert color="red">{describeProblem(action.error)}</Alert>}
        <Radio.Group label={text.overlap} value={overlap} onChange={setOverlap}>
          <Stack gap="xs" mt="xs">
            {text.overlaps.map(({ value, label }) => (
              <Radio key={value} value={value} label={label} />
            ))}
          </Stack>
        </Radio.Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={action.isPending}>
            {text.rotate}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
