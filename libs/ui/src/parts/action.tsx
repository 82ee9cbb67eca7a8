// Actions: requests that run on a click or a submit, and the forms and buttons that run them.
import { Alert, Button, type ButtonProps, Group, PasswordInput, Stack, type StackProps } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, type ReactNode, useRef, useState } from 'react';
import { describeProblem, findFieldError } from '../api/problem.ts';
import { words } from '../strings.ts';

interface ActionOptions<Result> {
  /** The text of the notification after success. */
  readonly done?: string;
  /** The first elements of the query keys to refetch after success. By default, all queries are refetched. */
  readonly refresh?: readonly string[];
  readonly onDone?: (result: Result) => void;
  /** If true, errors cause no notification, because the page shows them itself. */
  readonly quiet?: boolean;
}

/** Runs a request, and shows a notification when it succeeds or fails. */
export function useAction<Input = void, Result = unknown>(
  run: (input: Input) => Promise<Result>,
  options: ActionOptions<Result> = {},
) {
  const client = useQueryClient();
  const running = useRef(new Set<Input>());
  const mutation = useMutation<Result, unknown, Input>({
    mutationFn: (input) => run(input).finally(() => running.current.delete(input)),
    onSuccess: async (result) => {
      const { refresh, done } = options;
      if (done) notifications.show({ message: done, color: 'pine' });
      options.onDone?.(result);
      await client.invalidateQueries({
        predicate: ({ queryKey }) => !refresh || refresh.includes(String(queryKey[0])),
      });
    },
    onError: (error) => {
      if (!options.quiet) notifications.show({ message: describeProblem(error), color: 'red' });
    },
  });
  /**
   * Runs the request unless the same request is already running. A double click can be faster than the
   * disabling of the button.
   */
  const mutate = (input: Input) => {
    if (running.current.has(input)) return;
    running.current.add(input);
    mutation.mutate(input);
  };
  return { ...mutation, mutate };
}

/** Returns the values of a form's fields, and the props of its inputs. */
export function useFields<Values extends Record<string, string>>(start: Values) {
  const [values, setValues] = useState(start);
  const set = (name: keyof Values, value: string) => setValues((before) => ({ ...before, [name]: value }));
  /** Returns the props of an input. `error` is the error of the form's action. */
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

interface ActionErrorProps {
  readonly action: RunnableAction;
  /** Returns the text of an error. */
  readonly describe?: ((error: unknown) => string) | undefined;
}

/** Shows why the service refused the action. */
export const ActionError = ({ action: { error }, describe = describeProblem }: ActionErrorProps) =>
  error !== null && <Alert color="red">{describe(error)}</Alert>;

interface ActionFormProps extends ActionErrorProps, StackProps {
  /** The label of the button below the fields. If it is false, there is no button. */
  readonly submit?: string | false;
  readonly button?: ButtonProps;
  /** Adds a cancel button, for a form in a dialog. */
  readonly onCancel?: () => void;
  readonly children: ReactNode;
}

/** Runs the action on submit, and shows above the fields why the service refused it. */
export function ActionForm(props: ActionFormProps) {
  const { action, describe, submit, button, onCancel, children, ...stack } = props;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        action.mutate();
      }}
    >
      <Stack {...stack}>
        <ActionError action={action} describe={describe} />
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
