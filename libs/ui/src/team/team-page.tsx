// The people of a tenant: members with their roles, and open invitations.
import { Stack } from '@mantine/core';
import { useMe } from '../api/me.ts';
import { useGet } from '../api/use-get.ts';
import { PageHeader, QueryView, Surface } from '../parts/page.tsx';
import { words } from '../strings.ts';
import { useTenant } from '../tenant.ts';
import { Invitations } from './invitations.tsx';
import { InviteButton } from './invite.tsx';
import { type Member, Members } from './members.tsx';

export interface TeamProps {
  /** The path of the members in the service. */
  readonly membersPath: string;
  readonly invitationsPath: string;
  readonly roles: readonly string[];
  /** The title of the page. The default is “Team”. */
  readonly title?: string;
  readonly text?: string;
  /** Whether the signed-in person may invite, remove and change roles. */
  readonly canManage: boolean;
}

export default function TenantTeamPage() {
  const { base, isOwner } = useTenant();
  return (
    <TeamPage
      membersPath={`${base}/members`}
      invitationsPath={`${base}/invitations`}
      roles={['owner', 'member']}
      canManage={isOwner}
    />
  );
}

export function TeamPage(props: TeamProps) {
  const { data: me } = useMe();
  const members = useGet<{ members: Member[] }>(['team', props.membersPath], props.membersPath);
  return (
    <>
      <PageHeader
        title={props.title ?? words.team.title}
        text={props.text ?? words.team.text}
        actions={props.canManage && <InviteButton {...props} />}
      />
      <Stack gap="lg">
        <Surface title={words.team.members} flush>
          <QueryView query={members}>
            {(data) => <Members {...props} members={data.members} ownId={me?.person.id} />}
          </QueryView>
        </Surface>
        <Invitations {...props} />
      </Stack>
    </>
  );
}
