// Cards with settings that apply to all items of the workspace, and that a single item can override.
import { put } from '@counterfoil/ui/api/request.ts';
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import { words } from '../strings.ts';
import type { ActivationLimits, LicenceTerms } from '../wire.ts';

/** Without `itemId`, the card shows and changes the settings of the workspace. */
interface CardProps {
  readonly itemId?: number;
}

/** A card to edit the limits of activations: the hosts per licence, and the moves to other hosts. */
export const ActivationLimitsCard = (props: CardProps) => (
  <NumbersCard<keyof ActivationLimits['in_force']>
    {...props}
    path="activation-limits"
    names={['regular', 'extended', 'moves']}
    text={words.activationLimits}
  />
);

/** A card to edit the terms of offline licences. */
export const LicenceTermsCard = (props: CardProps) => (
  <NumbersCard<Exclude<keyof LicenceTerms['in_force'], 'updates'>>
    {...props}
    path="licence-terms"
    names={['valid_days', 'grace_days', 'term_months']}
    text={words.licenceTerms}
    choice={{ name: 'updates', label: words.licenceTerms.updates, labels: words.licenceTerms.windows }}
  />
);

type Labels = Readonly<Record<string, string>>;

interface NumbersProps<Name extends string> extends CardProps {
  readonly path: string;
  readonly names: readonly Name[];
  /** An additional field with a fixed set of values. */
  readonly choice?: { readonly name: string; readonly label: string; readonly labels: Labels };
  readonly text: Readonly<Record<Name | 'title' | 'textAll' | 'textItem' | 'submit', string>>;
}

interface Numbers<Name extends string> {
  /** The numbers that are set for this item or, without an item, for the workspace. */
  readonly set: Readonly<Partial<Record<Name, number>>>;
  readonly in_force: Readonly<Record<Name, number>>;
}

function NumbersCard<Name extends string>(props: NumbersProps<Name>) {
  const { path, text, itemId } = props;
  const { id, base } = useTenant();
  const query = useGet<Numbers<Name>>([path, id, itemId ?? 0], `${base}/${path}`, {
    query: { item_id: itemId },
  });
  return (
    <Surface title={text.title} text={itemId === undefined ? text.textAll : text.textItem}>
      <QueryView query={query}>{(numbers) => <Form {...props} numbers={numbers} />}</QueryView>
    </Surface>
  );
}

function Form<Name extends string>({
  path,
  names,
  text,
  choice,
  itemId,
  numbers,
}: NumbersProps<Name> & { numbers: Numbers<Name> }) {
  const { base } = useTenant();
  const start = Object.fromEntries(names.map((name) => [name, String(numbers.set[name] ?? '')]));
  const { values, field } = useFields(start as Record<Name, string>);
  const chosenIn = (from: object) => (choice ? (from as Labels)[choice.name] : undefined);
  const [chosen, setChosen] = useState(chosenIn(numbers.set));
  const action = useAction(
    () => {
      const given = names.filter((name) => values[name].trim() !== '');
      const set = Object.fromEntries(given.map((name) => [name, Number(values[name])]));
      return put(`${base}/${path}`, {
        ...set,
        ...(choice && chosen !== undefined && { [choice.name]: chosen }),
        ...(itemId !== undefined && { item_id: itemId }),
      });
    },
    { done: words.saved, quiet: true },
  );
  return (
    <ActionForm action={action} submit={text.submit} button={{ variant: 'default' }}>
      <SimpleGrid cols={{ base: 2, sm: names.length + (choice ? 1 : 0) }} style={{ alignItems: 'end' }}>
        {names.map((name) => (
          <TextInput
            key={name}
            label={text[name]}
            type="number"
            min={0}
            placeholder={String(numbers.in_force[name])}
            {...field(name, action.error)}
          />
        ))}
        {choice && (
          <Select
            label={choice.label}
            clearable
            placeholder={choice.labels[chosenIn(numbers.in_force) ?? ''] ?? ''}
            data={Object.entries(choice.labels).map(([value, label]) => ({ value, label }))}
            value={chosen ?? null}
            onChange={(value) => setChosen(value ?? undefined)}
          />
        )}
      </SimpleGrid>
    </ActionForm>
  );
}
