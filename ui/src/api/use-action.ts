// Something a person sets off: it says that it is done, and shows what went wrong.
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
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
  return useMutation<Result, unknown, Input>({
    mutationFn: run,
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
}
