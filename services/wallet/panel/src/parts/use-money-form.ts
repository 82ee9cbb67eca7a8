// A form that moves money once: after a lost answer it sends the same id, after a final no a new one.
import { ApiProblem } from '@counterfoil/ui/api/problem.ts';
import { makeRandomHex } from '@counterfoil/ui/api/request.ts';
import { useAction } from '@counterfoil/ui/api/use-action.ts';
import { readAmount } from '@counterfoil/ui/parts/amount.ts';
import { useFields } from '@counterfoil/ui/parts/form.tsx';
import type { FormEvent } from 'react';

/** A new transaction id. */
const makeId = (): string => `panel-${makeRandomHex(12)}`;

/** Made here, not written by a person. */
const isOwnId = (id: string): boolean => /^panel-[0-9a-f]{24}$/.test(id);

interface MoneyFields {
  readonly amount: string;
  readonly transaction_id: string;
  readonly note: string;
}

/** A refusal for want of money, credit or room is final for its id: corrected, it is a new request. */
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
