// A form that moves money once. A retry after a lost response sends the same id. After a refusal with 402 or
// 422, the form generates a new id, unless a person typed the refused id.
import { ApiProblem } from '@counterfoil/ui/api/problem.ts';
import { makeRandomHex } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { readAmount } from '@counterfoil/ui/parts/amount.ts';
import { toChoices } from '@counterfoil/ui/table/filters.tsx';
import { SegmentedControl, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { words } from '../strings.ts';

const text = words.adjust;

/** A new transaction id. */
const makeId = (): string => `panel-${makeRandomHex(12)}`;

/** Whether `makeId` generated the id. Otherwise a person typed it. */
const isOwnId = (id: string): boolean => /^panel-[0-9a-f]{24}$/.test(id);

interface MoneyFields {
  readonly type: string;
  readonly amount: string;
  readonly transaction_id: string;
  readonly note: string;
}

/** Whether a corrected request needs a new id, because the wallet may have stored the refusal with the id. */
const isFinal = (error: unknown) =>
  error instanceof ApiProblem && (error.status === 402 || error.status === 422);

export function MoneyForm(props: {
  readonly intro?: string;
  readonly currency: string;
  /** The kinds of movement and their labels; the first is preselected. */
  readonly types: Readonly<Record<string, string>>;
  readonly typesLabel: string;
  readonly send: (fields: MoneyFields) => Promise<unknown>;
  readonly done: string;
  readonly onClose: () => void;
  /** An additional input of the form, shown below the choice of the movement's kind. */
  readonly children?: ReactNode;
}) {
  const choices = toChoices(props.types);
  const [type, setType] = useState(choices[0]?.value ?? '');
  const { values, set, field } = useFields({ amount: '', transaction_id: makeId(), note: '' });
  const action = useAction(
    () =>
      props.send({ ...values, type, amount: readAmount(values.amount) }).catch((error: unknown) => {
        if (isFinal(error) && isOwnId(values.transaction_id)) set('transaction_id', makeId());
        throw error;
      }),
    { quiet: true, done: props.done, onDone: props.onClose },
  );
  return (
    <ActionForm action={action} submit={props.types[type] ?? ''} onCancel={props.onClose}>
      {props.intro && <Text size="sm">{props.intro}</Text>}
      <SegmentedControl aria-label={props.typesLabel} data={choices} value={type} onChange={setType} />
      {props.children}
      <TextInput
        label={text.amount(props.currency)}
        inputMode="decimal"
        required
        data-autofocus
        {...field('amount', action.error)}
      />
      <TextInput
        label={text.id}
        description={text.idText}
        required
        maxLength={128}
        {...field('transaction_id', action.error)}
      />
      <TextInput label={text.note} maxLength={255} {...field('note', action.error)} />
    </ActionForm>
  );
}
