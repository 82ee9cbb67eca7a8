// The administrators of the platform.
import { TeamPage } from '@counterfoil/ui/team/team-page.tsx';
import { words } from '../strings.ts';

export default function AdminTeam() {
  return (
    <TeamPage
      title={words.pages.adminTeam}
      text={words.administrators}
      membersPath="/panel/admin/administrators"
      invitationsPath="/panel/admin/administrator-invitations"
      roles={['administrator']}
      leads
    />
  );
}
