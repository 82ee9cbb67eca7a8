// Forms and buttons that run an action: the values of the fields, and the service's errors for each field.
import { Alert, Button, type ButtonProps, Group, PasswordInput, Stack, type StackProps } from '@mantine/core';
import { type ChangeEvent, type ReactNode, useState } from 'react';
import { describeProblem, findFieldError } from '../api/problem.ts';
import { words } from '../strings.ts';

export function useFields<Values extends Record<string, string>>(start: Values) {
  const [values, setValues] = useState(start);
  const set = (name: keyof Values, value: string) => setValues((before) => ({ ...before, [name]: value }));
  /** The props of an input; `error` is the error of the form's action. */
  const field = (name: keyof Values & string, error?: unknown, wireName: string = name) => {
    const sentence = findFieldError(error, wireName);
    return {
      value: values[name] ?? '',
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        set(name, event.currentTarget.value),
      ...(sentence && { error: sentence }),
    };
  };
  return { values, set, setValues, field };
}

/** The parts of an action that a form or a button needs. */
interface RunnableAction {
  readonly mutate: () => void;
  readonly error: unknown;
  readonly isPending: boolean;
}

interface ActionFormProps extends StackProps {
  readonly action: RunnableAction;
  /** The text of an error. */
  readonly describe?: (error: unknown) => string;
  /** The label of the button below the fields; without a label there is no button. */
  readonly submit?: string | false;
  readonly button?: ButtonProps;
  /** Adds a cancel button, for a form in a dialog. */
  readonly onCancel?: () => void;
  readonly children: ReactNode;
}

/** Runs the action on submit, and shows above the fields why the service refused it. */
export function ActionForm(props: ActionFormProps) {
  const { action, describe = describeProblem, submit, button, onCancel, children, ...stack } = props;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        action.mutate();
      }}
    >
      <Stack {...stack}>
        {action.error !== null && <Alert color="red">{describe(action.error)}</Alert>}
        {children}
        {submit && (
          <Group {...(onCancel && { justify: 'flex-end' })}>
            {onCancel && (
              <Button variant="default" onClick={onCancel}>
                {words.confirm.cancel}
              </Button>
            )}
            <Button type="submit" loading={action.isPending} {...button}>
              {submit}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

interface ActionButtonProps extends Omit<ButtonProps, 'children'> {
  readonly action: RunnableAction;
  readonly label: string;
  readonly 'aria-label'?: string;
}

/** Runs the action on a click. */
export function ActionButton({ action, label, ...button }: ActionButtonProps) {
  return (
    <Button loading={action.isPending} {...button} onClick={() => action.mutate()}>
      {label}
    </Button>
  );
}

/** The password of the signed-in person, as the first field of a dialog. */
export function OwnPasswordInput(props: ReturnType<ReturnType<typeof useFields>['field']>) {
  return (
    <PasswordInput
      label={words.signIn.password}
      autoComplete="current-password"
      required
      data-autofocus
      {...props}
    />
  );
}
