// Asks for confirmation. For dangerous actions the person must type a name.
import { Button, type ButtonProps, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { words } from '../strings.ts';

interface Question {
  readonly title: string;
  readonly text: ReactNode;
  /** The text that must be typed before confirming. */
  readonly typed?: string;
  readonly danger?: boolean;
  readonly children?: ReactNode;
}

interface ConfirmProps extends Question {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly action: string;
  readonly waiting: boolean;
}

interface ConfirmButtonProps extends Question {
  readonly label: string;
  readonly button?: ButtonProps & { readonly 'aria-label'?: string };
  readonly run: () => Promise<unknown>;
  /** The notification after success. */
  readonly done: string;
  readonly onDone?: () => void;
}

export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, button, run, done, onDone, ...question } = props;
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  const action = useAction(run, {
    done,
    onDone: () => {
      onDone?.();
      close();
    },
  });
  return (
    <>
      <Button variant="default" {...button} onClick={() => setOpened(true)}>
        {label}
      </Button>
      <ConfirmDialog
        {...question}
        action={label}
        opened={opened}
        onClose={close}
        onConfirm={() => action.mutate()}
        waiting={action.isPending}
      />
    </>
  );
}

export function ConfirmDialog(props: ConfirmProps) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={props.title} centered>
      {props.opened && <QuestionForm {...props} />}
    </Modal>
  );
}

/** Normalises spaces as the browser displays them. */
const asSeen = (text: string) => text.trim().replaceAll(/\s+/g, ' ');

function QuestionForm(props: ConfirmProps) {
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
            loading={props.waiting}
            {...(props.danger && { color: 'red.8' })}
          >
            {props.action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
