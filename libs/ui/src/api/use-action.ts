// Runs a request on a click or submit, and shows a notification when it succeeds or fails.
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { describeProblem } from './problem.ts';

interface ActionOptions<Result> {
  /** The notification after success. */
  readonly done?: string;
  /** First elements of the query keys to refetch afterwards; by default all queries. */
  readonly refresh?: readonly string[];
  readonly onDone?: (result: Result) => void;
  /** No notification of errors, because the page shows them itself. */
  readonly quiet?: boolean;
}

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
  /** A double click can be faster than the disabling of the button, so it is ignored here. */
  const mutate = (input: Input) => {
    if (running.current.has(input)) return;
    running.current.add(input);
    mutation.mutate(input);
  };
  return { ...mutation, mutate };
}
