// Lists the open invitations of a tenant.
import { MailOpen } from 'lucide-react';
import { remove } from '../api/request.ts';
import { useGet } from '../api/use-get.ts';
import { ActionButton, useAction } from '../parts/action.tsx';
import { Moment } from '../parts/moment.tsx';
import { Empty, QueryView, Surface } from '../parts/page.tsx';
import { words } from '../strings.ts';
import { Rows } from '../table/rows.tsx';
import type { TeamProps } from './team-page.tsx';

interface Invitation {
  readonly id: number;
  readonly email: string;
  readonly role: string;
  readonly expires_at: string;
}

export function Invitations(props: TeamProps) {
  const query = useGet<{ invitations: Invitation[] }>(
    ['invitations', props.invitationsPath],
    props.invitationsPath,
  );
  return (
    <Surface title={words.team.invitations} text={words.team.invitationsText} flush>
      <QueryView query={query}>
        {({ invitations }) => (
          <Rows
            label={words.team.invitations}
            rows={invitations}
            rowKey={({ id }) => id}
            empty={<Empty title={words.team.noInvitations} icon={MailOpen} />}
            columns={[
              { title: words.signIn.email, render: ({ email }) => email },
              { title: words.team.role, render: ({ role }) => words.team.roles[role] ?? role },
              { title: words.team.expires, render: (each) => <Moment at={each.expires_at} /> },
              {
                title: words.team.withdraw,
                quiet: true,
                render: (each) => props.canManage && <Withdraw {...props} invitation={each} />,
              },
            ]}
          />
        )}
      </QueryView>
    </Surface>
  );
}

function Withdraw({ invitation, invitationsPath }: TeamProps & { invitation: Invitation }) {
  const action = useAction(() => remove(`${invitationsPath}/${invitation.id}`), {
    done: words.team.withdrawn,
  });
  return (
    <ActionButton
      action={action}
      label={words.team.withdraw}
      size="xs"
      variant="default"
      aria-label={words.team.withdrawOf(invitation.email)}
    />
  );
}
