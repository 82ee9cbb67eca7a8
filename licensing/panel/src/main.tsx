// The licensing panel's table of contents: its pages, and how one finds them.
import { get } from '@counterfoil/ui/api/request.ts';
import { fillPath } from '@counterfoil/ui/panel.ts';
import { startPanel } from '@counterfoil/ui/start-panel.tsx';
import { ScrollText, Users } from 'lucide-react';
import { paths } from './paths.ts';
import { words } from './strings.ts';

interface ListedWorkspace {
  readonly id: number;
  readonly name: string;
  readonly role: string;
}

startPanel({
  name: words.name,
  tenantParam: 'workspace_id',
  tenantWord: words.workspace,
  listTenants: async () => {
    const { workspaces } = await get<{ workspaces: ListedWorkspace[] }>('/panel/workspaces');
    return workspaces.map(({ id, name, role }) => ({
      id,
      name,
      role,
      to: fillPath(paths.team, { workspace_id: id }),
    }));
  },
  navigationOf: ({ id }) => {
    const to = (path: string) => fillPath(path, { workspace_id: id });
    return [
      {
        entries: [
          { label: words.team, to: to(paths.team), icon: Users },
          { label: words.audit, to: to(paths.audit), icon: ScrollText },
        ],
      },
    ];
  },
  pages: [
    { path: paths.team, title: words.team, load: () => import('./team/team.tsx') },
    { path: paths.audit, title: words.audit, load: () => import('./audit/audit.tsx') },
  ],
});
