// Issues a package, and shows its credentials and the owner's link once.
import { post } from '@counterfoil/ui/api/request.ts';
import { useAction } from '@counterfoil/ui/api/use-action.ts';
import { ActionForm, FormButtons, useFields } from '@counterfoil/ui/parts/form.tsx';
import { type NamedSecret, Secrets } from '@counterfoil/ui/parts/secret-reveal.tsx';
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { PackagePlus } from 'lucide-react';
import { useState } from 'react';
import { words } from '../strings.ts';

const text = words.issue;

interface Issued {
  readonly credentials: {
    readonly uid: string;
    readonly caller: { readonly api_key: string; readonly api_secret: string };
    readonly aes_key: string;
  };
  readonly owner_link: string | null;
}

export function IssueButton() {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button leftSection={<PackagePlus size={16} aria-hidden />} onClick={() => setOpened(true)}>
        {text.title}
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={text.title}
        size="lg"
        closeOnClickOutside={false}
        closeOnEscape={false}
      >
        {opened && <Issue onClose={() => setOpened(false)} />}
      </Modal>
    </>
  );
}

function Issue({ onClose }: { onClose: () => void }) {
  const { values, field } = useFields({ name: '', currency: 'EUR', owner_email: '' });
  const action = useAction(
    () => {
      const { owner_email, ...rest } = values;
      const currency = values.currency.trim().toUpperCase();
      const body = { ...rest, currency, ...(owner_email && { owner_email }) };
      return post<Issued>('/panel/admin/packages', body);
    },
    { quiet: true },
  );
  if (action.data) return <Shown issued={action.data} onClose={onClose} />;
  return (
    <ActionForm action={action}>
      <Text size="sm">{text.text}</Text>
      <TextInput
        label={text.name}
        required
        maxLength={128}
        data-autofocus
        {...field('name', action.error)}
      />
      <TextInput
        label={text.currency}
        required
        maxLength={3}
        {...field('currency', action.error)}
      />
      <TextInput
        label={text.owner}
        description={text.ownerText}
        type="email"
        {...field('owner_email', action.error)}
      />
      <FormButtons submit={text.title} onCancel={onClose} waiting={action.isPending} />
    </ActionForm>
  );
}

function Shown({ issued, onClose }: { issued: Issued; onClose: () => void }) {
  const { credentials, owner_link: link } = issued;
  const secrets: NamedSecret[] = [
    [words.credentials.uid, credentials.uid],
    [words.credentials.key, credentials.caller.api_key],
    [words.credentials.secret, credentials.caller.api_secret],
    [words.credentials.aes, credentials.aes_key],
    ...(link ? [[text.link, link] as const] : []),
  ];
  return (
    <Stack>
      <Text size="sm">{text.shownOnce}</Text>
      <Secrets secrets={secrets} />
      <Group justify="flex-end">
        <Button onClick={onClose}>{words.credentials.kept}</Button>
      </Group>
    </Stack>
  );
}
