// Dialogs with a form, and the button that opens a dialog.
import { Button, type ButtonProps, Group, Modal, type ModalProps, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { words } from '../strings.ts';

export interface DialogControls {
  readonly close: () => void;
  /** Replaces the form by the result of its action, such as a new secret. */
  readonly show: (result: ReactNode) => void;
}

interface FormDialogProps extends Omit<ModalProps, 'children'> {
  /** If true, the result cannot be shown again, so only the button below the result closes the dialog. */
  readonly once?: boolean;
  readonly children: (controls: DialogControls) => ReactNode;
}

/** The form is mounted only while the dialog is open, so closing the dialog discards its input. */
export function FormDialog({ once = false, children, ...modal }: FormDialogProps) {
  const [result, setResult] = useState<ReactNode>();
  const close = () => {
    setResult(undefined);
    modal.onClose();
  };
  const isLocked = once && result !== undefined;
  return (
    <Modal
      closeOnClickOutside={!once}
      {...modal}
      onClose={close}
      closeOnEscape={!isLocked}
      withCloseButton={!isLocked}
    >
      {modal.opened && result === undefined && children({ close, show: setResult })}
      {modal.opened && result !== undefined && (
        <DialogResult onClose={close} once={once}>
          {result}
        </DialogResult>
      )}
    </Modal>
  );
}

export function DialogResult(props: { children: ReactNode; once: boolean; onClose: () => void }) {
  return (
    <Stack>
      {props.children}
      <Group justify="flex-end">
        <Button onClick={props.onClose}>{props.once ? words.dialog.saved : words.dialog.done}</Button>
      </Group>
    </Stack>
  );
}

interface DialogButtonProps extends Omit<ButtonProps, 'children'> {
  readonly label: string;
  /** The title of the dialog. The default is the label of the button. */
  readonly title?: string;
  readonly dialog?: Partial<ModalProps>;
  readonly once?: boolean;
  readonly 'aria-label'?: string;
  readonly children: FormDialogProps['children'];
}

export function DialogButton(props: DialogButtonProps) {
  const { label, title = label, dialog, once = false, children, ...button } = props;
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setOpened(true)}>
        {label}
      </Button>
      <FormDialog {...dialog} opened={opened} onClose={() => setOpened(false)} title={title} once={once}>
        {children}
      </FormDialog>
    </>
  );
}
