// Asks for confirmation, then runs an action. If `typed` is set, the person must first type that text.
import { Button, type ButtonProps, Modal, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { words } from '../strings.ts';
import { ActionForm, useAction } from './action.tsx';

interface Question {
  /** The label of the button that runs the action. */
  readonly label: string;
  readonly run: () => Promise<unknown>;
  /** The text of the notification after success. */
  readonly done: string;
  readonly onDone?: () => void;
  readonly title: string;
  readonly text: ReactNode;
  /** The text that the person must type before confirming. */
  readonly typed?: string;
  readonly danger?: boolean;
  readonly children?: ReactNode;
}

interface ConfirmButtonProps extends Question {
  readonly button?: ButtonProps & { readonly 'aria-label'?: string };
}

export function ConfirmButton({ button, ...question }: ConfirmButtonProps) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" {...button} onClick={open}>
        {question.label}
      </Button>
      <ConfirmDialog {...question} opened={opened} onClose={close} />
    </>
  );
}

interface ConfirmDialogProps extends Question {
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, onClose, run, done, onDone } = props;
  const action = useAction(run, {
    done,
    onDone: () => {
      onDone?.();
      onClose();
    },
  });
  return (
    <Modal opened={opened} onClose={onClose} title={props.title} centered>
      {opened && <QuestionForm {...props} confirm={() => action.mutate()} isPending={action.isPending} />}
    </Modal>
  );
}

/** Normalises spaces in the way in which the browser displays them. */
const asSeen = (text: string) => text.trim().replaceAll(/\s+/g, ' ');

function QuestionForm(props: ConfirmDialogProps & { confirm: () => void; isPending: boolean }) {
  const { confirm, isPending } = props;
  const [typed, setTyped] = useState('');
  const isReady = props.typed === undefined || asSeen(typed) === asSeen(props.typed);
  return (
    <ActionForm
      // No error is passed to the form, because the action shows its errors as notifications.
      action={{ mutate: () => isReady && confirm(), error: null, isPending }}
      submit={props.label}
      button={{ disabled: !isReady, ...(props.danger && { color: 'red.8' }) }}
      onCancel={props.onClose}
    >
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
    </ActionForm>
  );
}
