// Issues a package, and shows its credentials and the owner's link once.
import { post } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { DialogButton, type DialogControls } from '@counterfoil/ui/parts/dialog.tsx';
import { Secrets } from '@counterfoil/ui/parts/secret-reveal.tsx';
import { Text, TextInput } from '@mantine/core';
import { PackagePlus } from 'lucide-react';
import { listCredentials, type MadeCredentials } from '../settings/sandbox.tsx';
import { words } from '../strings.ts';

const text = words.issue;

interface Issued extends MadeCredentials {
  readonly owner_link: string | null;
}

export function IssueButton() {
  return (
    <DialogButton
      label={text.title}
      leftSection={<PackagePlus size={16} aria-hidden />}
      dialog={{ size: 'lg' }}
      once
    >
      {(controls) => <Issue {...controls} />}
    </DialogButton>
  );
}

function Issue({ close, show }: DialogControls) {
  const { values, field } = useFields({ name: '', currency: 'EUR', decimals: '', owner_email: '' });
  const action = useAction(
    () => {
      const { name, decimals, owner_email } = values;
      const currency = values.currency.trim().toUpperCase();
      const body = {
        name,
        currency,
        ...(decimals && { decimals: Number(decimals) }),
        ...(owner_email && { owner_email }),
      };
      return post<Issued>('/panel/admin/packages', body);
    },
    { quiet: true, onDone: (issued) => show(<Shown issued={issued} />) },
  );
  return (
    <ActionForm action={action} submit={text.title} onCancel={close}>
      <Text size="sm">{text.text}</Text>
      <TextInput label={text.name} required maxLength={128} data-autofocus {...field('name', action.error)} />
      <TextInput label={text.currency} required maxLength={3} {...field('currency', action.error)} />
      <TextInput
        label={text.decimals}
        description={text.decimalsText}
        inputMode="numeric"
        maxLength={1}
        {...field('decimals', action.error)}
      />
      <TextInput
        label={text.owner}
        description={text.ownerText}
        type="email"
        {...field('owner_email', action.error)}
      />
    </ActionForm>
  );
}

function Shown({ issued }: { issued: Issued }) {
  const { owner_link: link } = issued;
  const secrets = [...listCredentials(issued), ...(link ? [[text.link, link] as const] : [])];
  return <Secrets text={text.shownOnce} secrets={secrets} />;
}
