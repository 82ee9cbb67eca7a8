// Asks for confirmation; for dangerous actions, a name must be typed.
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { words } from '../strings.ts';

export interface ConfirmProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly title: string;
  readonly text: ReactNode;
  readonly action: string;
  /** The text that must be typed before confirming. */
  readonly typed?: string;
  readonly danger?: boolean;
  readonly waiting?: boolean;
  readonly children?: ReactNode;
}

export function ConfirmDialog(props: ConfirmProps) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={props.title} centered>
      {props.opened && <Question {...props} />}
    </Modal>
  );
}

/** Normalises spaces as the browser displays them. */
const asSeen = (text: string) => text.trim().replaceAll(/\s+/g, ' ');

function Question(props: ConfirmProps) {
  const [typed, setTyped] = useState('');
  const isReady = props.typed === undefined || asSeen(typed) === asSeen(props.typed);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !props.waiting) props.onConfirm();
      }}
    >
      <Stack>
        <Text size="sm">{props.text}</Text>
        {props.children}
        {props.typed !== undefined && (
          <TextInput
            label={words.confirm.type(props.typed)}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            {words.confirm.cancel}
          </Button>
          <Button
            type="submit"
            disabled={!isReady}
            loading={props.waiting ?? false}
            {...(props.danger && { color: 'red.8' })}
          >
            {props.action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
