// The page that checks a purchase code: it shows the response of the API, explains the response in words, and
// shows samples of the API call.
import { post } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { CodeBlock } from '@counterfoil/ui/parts/code-block.tsx';
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { PageHeader, Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Alert, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { CircleCheck, CircleX } from 'lucide-react';
import { ItemSelect } from '../items/item-names.tsx';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import { Samples } from './samples.tsx';

const text = words.check;

interface Checked {
  readonly http_status: number;
  readonly body: { readonly status: string; readonly code?: string };
  readonly purchase_id?: number;
}

export default function Check() {
  const { base } = useTenant();
  const { values, set, field } = useFields({ code: '', as: 'secret', item: '' });
  const action = useAction(
    () =>
      post<Checked>(`${base}/purchases/check`, {
        purchase_code: values.code,
        ...(values.as === 'publishable' && { item_id: Number(values.item) }),
      }),
    { quiet: true, refresh: [] },
  );
  return (
    <>
      <PageHeader title={words.pages.check} text={text.text} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
        <Stack gap="lg">
          <Surface>
            <ActionForm action={action} submit={text.submit} button={{ fullWidth: true }}>
              <TextInput
                label={words.purchase.code}
                required
                autoComplete="off"
                spellCheck={false}
                {...field('code')}
              />
              <Select
                label={text.as}
                allowDeselect={false}
                data={[
                  { value: 'secret', label: text.asSecret },
                  { value: 'publishable', label: text.asPublishable },
                ]}
                value={values.as}
                onChange={(as) => as && set('as', as)}
              />
              {values.as === 'publishable' && (
                <ItemSelect
                  label={words.pages.item}
                  required
                  value={values.item}
                  onChange={(item) => set('item', item)}
                />
              )}
            </ActionForm>
          </Surface>
          {action.data && <Verdict checked={action.data} />}
        </Stack>
        <Samples code={values.code.trim()} />
      </SimpleGrid>
    </>
  );
}

function Verdict({ checked }: { checked: Checked }) {
  const { to } = useTenant();
  const isValid = checked.http_status === 200;
  const reason = isValid ? 'valid' : (checked.body.code ?? '');
  return (
    <Stack gap="md">
      <Alert
        color={isValid ? 'pine' : 'amber'}
        icon={isValid ? <CircleCheck /> : <CircleX />}
        title={isValid ? text.verdict.valid : text.verdict.invalid}
        role="status"
      >
        <Text size="sm">{text.reasons[reason] ?? reason}</Text>
        {checked.purchase_id !== undefined && (
          <PanelLink size="sm" to={to(paths.purchase, { purchase_id: checked.purchase_id })}>
            {words.purchases.openIt}
          </PanelLink>
        )}
      </Alert>
      <CodeBlock code={JSON.stringify(checked.body, null, 2)} label={text.answer(checked.http_status)} />
    </Stack>
  );
}
