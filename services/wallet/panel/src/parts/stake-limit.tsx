// The form for the maximum stake of a package or of a player. An empty field means no limit.
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { readAmount, writeAmount } from '@counterfoil/ui/parts/amount.ts';
import { Surface } from '@counterfoil/ui/parts/page.tsx';
import { Button, Group, TextInput } from '@mantine/core';
import { words } from '../strings.ts';

const text = words.stakeLimit;

export function StakeLimit(props: {
  readonly about: string;
  readonly limit: number | null;
  readonly currency: string;
  readonly canChange: boolean;
  readonly save: (maxStake: string | null) => Promise<unknown>;
}) {
  const { limit, currency, canChange } = props;
  const { values, field } = useFields({ limit: limit === null ? '' : writeAmount(limit, currency) });
  const save = () => props.save(values.limit.trim() === '' ? null : readAmount(values.limit));
  const action = useAction(save, { done: text.saved, quiet: true });
  return (
    <Surface title={text.title} text={props.about}>
      <ActionForm action={action} gap="sm" maw={420}>
        <Group align="flex-end">
          <TextInput
            label={text.limit(currency)}
            placeholder={text.unlimited}
            inputMode="decimal"
            disabled={!canChange}
            flex={1}
            {...field('limit', action.error, 'max_stake')}
          />
          {canChange && (
            <Button type="submit" loading={action.isPending}>
              {words.save}
            </Button>
          )}
        </Group>
      </ActionForm>
    </Surface>
  );
}
