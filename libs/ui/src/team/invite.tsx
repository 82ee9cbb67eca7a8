// Creates an invitation. Its link is shown only once.
import { Select, TextInput } from '@mantine/core';
import { UserPlus } from 'lucide-react';
import { post } from '../api/request.ts';
import { ActionForm, useAction, useFields } from '../parts/action.tsx';
import { DialogButton, type DialogControls } from '../parts/dialog.tsx';
import { NewSecret } from '../parts/secret-reveal.tsx';
import { words } from '../strings.ts';
import type { TeamProps } from './team-page.tsx';

export function InviteButton(props: TeamProps) {
  return (
    <DialogButton
      label={words.team.invite}
      leftSection={<UserPlus size={16} aria-hidden />}
      dialog={{ size: 'lg' }}
    >
      {(controls) => <Invite {...props} {...controls} />}
    </DialogButton>
  );
}

function Invite(props: TeamProps & DialogControls) {
  const { values, set, field } = useFields({ email: '', role: props.roles.at(-1) ?? '' });
  const action = useAction(() => post<{ url: string; mail: string }>(props.invitationsPath, values), {
    quiet: true,
    refresh: ['invitations', 'audit'],
    onDone: ({ url, mail }) => {
      const text = words.team.madeText[mail] ?? '';
      props.show(<NewSecret text={text} label={words.team.link} secret={url} />);
    },
  });
  return (
    <ActionForm action={action} submit={words.team.makeLink} onCancel={props.close}>
      <TextInput label={words.signIn.email} type="email" required data-autofocus {...field('email')} />
      <Select
        label={words.team.role}
        allowDeselect={false}
        data={props.roles.map((role) => ({ value: role, label: words.team.roles[role] ?? role }))}
        value={values.role}
        onChange={(role) => role && set('role', role)}
      />
    </ActionForm>
  );
}
