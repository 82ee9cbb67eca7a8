// Asks how long the old secret stays valid, and rotates.
import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { describeProblem } from '../api/problem.ts';

interface Props {
  readonly text: {
    readonly rotateText: string;
    readonly overlap: string;
    readonly overlaps: readonly { readonly value: string; readonly label: string }[];
    readonly rotate: string;
    readonly cancel: string;
  };
  readonly error: unknown;
  readonly waiting: boolean;
  readonly onRotate: (overlap: string) => void;
  readonly onClose: () => void;
}

export function RotateForm({ text, error, waiting, onRotate, onClose }: Props) {
  const [overlap, setOverlap] = useState('24h');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onRotate(overlap);
      }}
    >
      <Stack>
        <Text size="sm">{text.rotateText}</Text>
        {error !== null && <Alert color="red">{describeProblem(error)}</Alert>}
        <Radio.Group label={text.overlap} value={overlap} onChange={setOverlap}>
          <Stack gap="xs" mt="xs">
            {text.overlaps.map(({ value, label }) => (
              <Radio key={value} value={value} label={label} />
            ))}
          </Stack>
        </Radio.Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {text.cancel}
          </Button>
          <Button type="submit" loading={waiting}>
            {text.rotate}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
