// The wallet panel's table of contents: its pages, and how one finds them.
import { get } from '@counterfoil/ui/api/request.ts';
import { fillPath } from '@counterfoil/ui/panel.ts';
import { startPanel } from '@counterfoil/ui/start-panel.tsx';
import { Users } from 'lucide-react';
import { paths } from './paths.ts';
import { words } from './strings.ts';

interface ListedPackage {
  readonly role: string;
  readonly package: { readonly id: number; readonly name: string };
}

startPanel({
  name: words.name,
  tenantParam: 'package_id',
  tenantWord: words.package,
  listTenants: async () => {
    const { packages } = await get<{ packages: ListedPackage[] }>('/panel/packages');
    return packages.map(({ role, package: { id, name } }) => ({
      id,
      name,
      role,
      to: fillPath(paths.team, { package_id: id }),
    }));
  },
  navigationOf: (tenant) => [
    {
      entries: [
        { label: words.team, to: fillPath(paths.team, { package_id: tenant.id }), icon: Users },
      ],
    },
  ],
  pages: [{ path: paths.team, title: words.team, load: () => import('./team/team.tsx') }],
});
