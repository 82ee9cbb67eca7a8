// Forms: the values of the fields, the service's errors for each field, and the submit button.
import { Alert, Button, Group, Stack, type StackProps } from '@mantine/core';
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

/** Runs the action on submit, and shows above the fields why the service refused it. */
export function ActionForm({
  action,
  describe = describeProblem,
  children,
  ...stack
}: StackProps & {
  action: { mutate: () => void; error: unknown };
  /** The text of an error. */
  describe?: (error: unknown) => string;
  children: ReactNode;
}) {
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
      </Stack>
    </form>
  );
}

/** The last row of a form in a dialog. */
export function FormButtons(props: {
  submit: string;
  onCancel: () => void;
  waiting: boolean;
  disabled?: boolean;
}) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={props.onCancel}>
        {words.confirm.cancel}
      </Button>
      <Button type="submit" loading={props.waiting} disabled={props.disabled ?? false}>
        {props.submit}
      </Button>
    </Group>
  );
}
