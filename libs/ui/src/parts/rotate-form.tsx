// Asks how long the old secret stays valid, and rotates the secret.
import { Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { words } from '../strings.ts';
import { ActionForm, useAction } from './action.tsx';

type Overlap = keyof typeof words.overlaps;

export function RotateForm<Result, Offered extends Overlap = Overlap>(props: {
  readonly text: {
    readonly rotateText: string;
    readonly overlap: string;
    readonly rotate: string;
  };
  /** The overlaps that are offered. By default, all overlaps of `words.overlaps` are offered. */
  readonly overlaps?: readonly Offered[];
  readonly rotate: (overlap: Offered) => Promise<Result>;
  readonly onRotated: (result: Result) => void;
  readonly onCancel: () => void;
}) {
  const { text, overlaps = Object.keys(words.overlaps) as Offered[] } = props;
  const [overlap, setOverlap] = useState<string>('24h');
  const action = useAction(() => props.rotate(overlap as Offered), { quiet: true, onDone: props.onRotated });
  return (
    <ActionForm action={action} submit={text.rotate} onCancel={props.onCancel}>
      <Text size="sm">{text.rotateText}</Text>
      <Radio.Group label={text.overlap} value={overlap} onChange={setOverlap}>
        <Stack gap="xs" mt="xs">
          {overlaps.map((value) => (
            <Radio key={value} value={value} label={words.overlaps[value]} />
          ))}
        </Stack>
      </Radio.Group>
    </ActionForm>
  );
}
