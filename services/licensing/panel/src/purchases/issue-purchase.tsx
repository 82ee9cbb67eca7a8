// Records a sale and issues its code.
import { makeRandomHex, post } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { readAmount } from '@counterfoil/ui/parts/amount.ts';
import { DialogButton, type DialogControls } from '@counterfoil/ui/parts/dialog.tsx';
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { endOfDay } from '@counterfoil/ui/parts/moment.tsx';
import { NewSecret } from '@counterfoil/ui/parts/secret-reveal.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { ItemSelect } from '../items/item-names.tsx';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { Purchase } from '../wire.ts';

const text = words.purchases;

export function IssueButton() {
  return (
    <DialogButton label={text.issue} leftSection={<Plus size={16} aria-hidden />} dialog={{ size: 'lg' }}>
      {(controls) => <Issue {...controls} />}
    </DialogButton>
  );
}

const blank = { item: '', license: 'Regular', price: '', name: '', email: '', support: '', code: '' };

/** Returns only the fields that are filled in. The service has defaults for the other fields. */
function toSale(values: typeof blank): object {
  const supportedUntil = endOfDay(values.support);
  const price = Number(readAmount(values.price));
  return {
    item_id: values.item,
    license_type: values.license,
    ...(values.price !== '' && { price: Number.isNaN(price) ? values.price : price }),
    ...(values.code !== '' && { purchase_code: values.code }),
    ...(supportedUntil && { supported_until: supportedUntil }),
    buyer: {
      ...(values.name !== '' && { name: values.name }),
      ...(values.email !== '' && { email: values.email }),
    },
  };
}

function Issue({ close, show }: DialogControls) {
  const { base } = useTenant();
  const { values, set, field } = useFields(blank);
  // The Idempotency-Key changes only if the content of the form changes. If the person submits the same
  // content again after a broken connection, no second purchase is issued. A corrected form counts as a
  // different sale.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the values decide when the key changes
  const idempotencyKey = useMemo(() => makeRandomHex(16), [values]);
  const action = useAction(
    () =>
      post<{ purchase: Purchase }>(`${base}/purchases`, toSale(values), {
        headers: { 'idempotency-key': idempotencyKey },
      }),
    { quiet: true, onDone: ({ purchase }) => show(<Issued purchase={purchase} />) },
  );
  return (
    <ActionForm action={action} submit={text.issueDo} onCancel={close}>
      <ItemSelect
        label={words.pages.item}
        required
        value={values.item}
        onChange={(item) => set('item', item)}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label={text.license}
          allowDeselect={false}
          data={['Regular', 'Extended']}
          value={values.license}
          onChange={(license) => license && set('license', license)}
        />
        <TextInput
          label={text.price}
          placeholder={text.priceHint}
          inputMode="decimal"
          {...field('price', action.error)}
        />
        <TextInput label={text.buyerName} {...field('name', action.error, 'buyer.name')} />
        <TextInput label={text.buyer} type="email" {...field('email', action.error, 'buyer.email')} />
        <TextInput
          label={words.purchase.support}
          description={text.supportHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          type="date"
          {...field('support', action.error, 'supported_until')}
        />
        <TextInput
          label={text.ownCode}
          placeholder={text.ownCodeHint}
          autoComplete="off"
          {...field('code', action.error, 'purchase_code')}
        />
      </SimpleGrid>
    </ActionForm>
  );
}

export function Issued({ purchase }: { purchase: Purchase }) {
  const { to } = useTenant();
  return (
    <>
      <Text fw={600}>{text.issued}</Text>
      <NewSecret text={text.issuedText} label={words.purchase.code} secret={purchase.purchase_code} />
      <PanelLink size="sm" to={to(paths.purchase, { purchase_id: purchase.id })}>
        {text.openIt}
      </PanelLink>
    </>
  );
}
