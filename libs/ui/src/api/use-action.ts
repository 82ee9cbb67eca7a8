// Something a person sets off: it says that it is done, and shows what went wrong.
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { describeProblem } from './problem.ts';

interface ActionOptions<Result> {
  /** Said in a corner when it is done. */
  readonly done?: string;
  /** The first parts of the query keys that are stale afterwards; all of them where not given. */
  readonly refresh?: readonly string[];
  readonly onDone?: (result: Result) => void;
  /** Where the page shows the refusal itself, the corner stays empty. */
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
  /** A double click is faster than the button that it should find disabled: it counts once. */
  const mutate = (input: Input) => {
    if (running.current.has(input)) return;
    running.current.add(input);
    mutation.mutate(input);
  };
  return { ...mutation, mutate };
}
