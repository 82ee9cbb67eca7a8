// The administrators of the platform.
import { TeamPage } from '@counterfoil/ui/team/team-page.tsx';

export default function AdminTeam() {
  return (
    <TeamPage
      membersPath="/panel/admin/administrators"
      invitationsPath="/panel/admin/administrator-invitations"
      roles={['administrator']}
      leads
    />
  );
}
