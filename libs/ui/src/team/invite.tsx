// Creates an invitation; its link is shown once.
import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { post } from '../api/request.ts';
import { useAction } from '../api/use-action.ts';
import { ActionForm, FormButtons, useFields } from '../parts/form.tsx';
import { SecretText } from '../parts/secret-reveal.tsx';
import { words } from '../strings.ts';
import type { TeamProps } from './team-page.tsx';

export function InviteButton(props: TeamProps) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button leftSection={<UserPlus size={16} aria-hidden />} onClick={() => setOpened(true)}>
        {words.team.invite}
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={words.team.invite} size="lg">
        {opened && <Invite {...props} onClose={() => setOpened(false)} />}
      </Modal>
    </>
  );
}

function Invite(props: TeamProps & { onClose: () => void }) {
  const { values, set, field } = useFields({ email: '', role: props.roles.at(-1) ?? '' });
  const action = useAction(() => post<{ url: string }>(props.invitationsPath, values), {
    quiet: true,
    refresh: ['invitations', 'audit'],
  });
  if (action.data) {
    return (
      <Stack>
        <Text size="sm">{words.team.madeText}</Text>
        <SecretText secret={action.data.url} label={words.team.link} />
        <Group justify="flex-end">
          <Button onClick={props.onClose}>{words.team.done}</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <ActionForm action={action}>
      <TextInput
        label={words.team.email}
        type="email"
        required
        data-autofocus
        {...field('email')}
      />
      <Select
        label={words.team.role}
        allowDeselect={false}
        data={props.roles.map((role) => ({ value: role, label: words.team.roles[role] ?? role }))}
        value={values.role}
        onChange={(role) => role && set('role', role)}
      />
      <FormButtons
        submit={words.team.makeLink}
        onCancel={props.onClose}
        waiting={action.isPending}
      />
    </ActionForm>
  );
}
