// A form that moves money once: a retry after a lost response sends the same id, a final refusal a new one.
import { ApiProblem } from '@counterfoil/ui/api/problem.ts';
import { makeRandomHex } from '@counterfoil/ui/api/request.ts';
import { useAction } from '@counterfoil/ui/api/use-action.ts';
import { readAmount } from '@counterfoil/ui/parts/amount.ts';
import { useFields } from '@counterfoil/ui/parts/form.tsx';
import type { FormEvent } from 'react';

/** A new transaction id. */
const makeId = (): string => `panel-${makeRandomHex(12)}`;

/** Generated here, not typed by a person. */
const isOwnId = (id: string): boolean => /^panel-[0-9a-f]{24}$/.test(id);

interface MoneyFields {
  readonly amount: string;
  readonly transaction_id: string;
  readonly note: string;
}

/** These refusals are final for their id, so the corrected request needs a new id. */
const isFinal = (error: unknown) =>
  error instanceof ApiProblem && (error.status === 402 || error.status === 422);

export function useMoneyForm(
  send: (fields: MoneyFields) => Promise<unknown>,
  options: { done: string; onDone: () => void },
) {
  const { values, set, field } = useFields({ amount: '', transaction_id: makeId(), note: '' });
  const action = useAction(
    () =>
      send({ ...values, amount: readAmount(values.amount) }).catch((error: unknown) => {
        if (isFinal(error) && isOwnId(values.transaction_id)) set('transaction_id', makeId());
        throw error;
      }),
    { quiet: true, ...options },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    action.mutate();
  };
  return { action, field, submit };
}
