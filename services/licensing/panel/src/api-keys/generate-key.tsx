// Generates a secret key, or a publishable key for one item, and shows it.
import { post } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { DialogButton, type DialogControls } from '@counterfoil/ui/parts/dialog.tsx';
import { endOfDay } from '@counterfoil/ui/parts/moment.tsx';
import { NewSecret } from '@counterfoil/ui/parts/secret-reveal.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Checkbox, Radio, Stack, Switch, Text, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { ItemSelect } from '../items/item-names.tsx';
import { words } from '../strings.ts';

const text = words.keys;
const defaultScopes = ['account:read', 'items:read', 'purchases:validate'];
/** The scopes that are preselected for a test key in addition to `defaultScopes`. */
const testScopes = ['activations:read', 'activations:write'];
/** The scopes that are not offered for test keys, because test data is read-only. */
const liveScopes = ['items:write', 'purchases:write'];
const forTests = (scopes: readonly string[]) => scopes.filter((each) => !liveScopes.includes(each));

export function GenerateButton() {
  return (
    <DialogButton
      label={text.generate}
      leftSection={<Plus size={16} aria-hidden />}
      dialog={{ size: 'lg', closeOnClickOutside: false }}
    >
      {(controls) => <Generate {...controls} />}
    </DialogButton>
  );
}

function Generate({ close, show }: DialogControls) {
  const { base } = useTenant();
  const { values, set, field } = useFields({ name: '', kind: 'secret', item: '', expires: '' });
  const [scopes, setScopes] = useState(defaultScopes);
  const [isTest, setIsTest] = useState(false);
  const switchTest = (isOn: boolean) => {
    setIsTest(isOn);
    const others = scopes.filter((each) => !testScopes.includes(each));
    setScopes(isOn ? [...others, ...testScopes] : others);
  };
  const isPublishable = values.kind === 'publishable';
  const action = useAction(
    () => {
      const expires = endOfDay(values.expires);
      const forOneItem = isTest ? { kind: 'publishable' } : { item_id: Number(values.item) };
      return post<{ secret: string }>(`${base}/api-keys`, {
        name: values.name,
        ...(isTest && { mode: 'test' }),
        ...(isPublishable ? forOneItem : { scopes: isTest ? forTests(scopes) : scopes }),
        ...(expires && { expires_at: expires }),
      });
    },
    {
      quiet: true,
      onDone: ({ secret }) => show(<NewKey title={text.made} secret={secret} hint={text.madeText} />),
    },
  );
  return (
    <ActionForm action={action} submit={text.generate} onCancel={close}>
      <TextInput
        label={text.name}
        description={text.nameHint}
        required
        data-autofocus
        {...field('name', action.error)}
      />
      <Switch
        label={text.test}
        description={text.testText}
        checked={isTest}
        onChange={(event) => switchTest(event.currentTarget.checked)}
      />
      <Radio.Group label={text.kind} value={values.kind} onChange={(kind) => set('kind', kind)}>
        <Stack gap="xs" mt="xs">
          <Radio value="secret" label={text.secret} description={text.secretText} />
          <Radio value="publishable" label={text.publishable} description={text.publishableText} />
        </Stack>
      </Radio.Group>
      {isPublishable && !isTest && (
        <ItemSelect
          label={words.pages.item}
          required
          value={values.item}
          onChange={(item) => set('item', item)}
        />
      )}
      {!isPublishable && <Scopes scopes={scopes} isTest={isTest} onChange={setScopes} />}
      <TextInput
        label={text.expiry}
        description={text.expiryHint}
        type="date"
        {...field('expires', action.error, 'expires_at')}
      />
    </ActionForm>
  );
}

function Scopes(props: { scopes: string[]; isTest: boolean; onChange: (scopes: string[]) => void }) {
  const all = Object.keys(text.scopeNames);
  const offered = props.isTest ? forTests(all) : all;
  return (
    <Checkbox.Group label={text.scopes} value={props.scopes} onChange={props.onChange}>
      <Stack gap={6} mt="xs">
        {offered.map((scope) => (
          <Checkbox key={scope} value={scope} label={`${text.scopeNames[scope]} (${scope})`} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

export function NewKey(props: { title: string; secret: string; hint: string }) {
  return (
    <>
      <Text fw={600}>{props.title}</Text>
      <NewSecret label={words.pages.apiKeys} secret={props.secret} hint={props.hint} />
    </>
  );
}
