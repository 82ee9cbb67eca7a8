// The people of a package.
import { TeamPage } from '@counterfoil/ui/team/team-page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';

export default function Team() {
  const tenant = useTenant();
  const base = `/panel/packages/${tenant.id}`;
  return (
    <TeamPage
      membersPath={`${base}/members`}
      invitationsPath={`${base}/invitations`}
      roles={['owner', 'member']}
      leads={tenant.role === 'owner'}
    />
  );
}
