// The licensing panel: its pages and navigation.
import { get } from '@counterfoil/ui/api/request.ts';
import { fillPath, listPages, type Page } from '@counterfoil/ui/panel.ts';
import { startPanel } from '@counterfoil/ui/start-panel.tsx';
import {
  BadgeCheck,
  ChartColumn,
  FileKey,
  KeyRound,
  Layers,
  Mail,
  Package,
  Receipt,
  ScrollText,
  Settings,
  ShieldAlert,
  Users,
  Waypoints,
  Webhook,
} from 'lucide-react';
import { paths } from './paths.ts';
import { words } from './strings.ts';
import type { Workspace } from './wire.ts';

const { pages: titles } = words;

const loaders: Record<keyof typeof paths, Page['load']> = {
  dashboard: () => import('./dashboard/dashboard.tsx'),
  items: () => import('./items/items.tsx'),
  newItem: () => import('./items/new-item.tsx'),
  item: () => import('./items/item.tsx'),
  purchases: () => import('./purchases/purchases.tsx'),
  importPurchases: () => import('./purchases/import-purchases.tsx'),
  purchase: () => import('./purchases/purchase.tsx'),
  pools: () => import('./pools/pools.tsx'),
  pool: () => import('./pools/pool.tsx'),
  abuse: () => import('./abuse/abuse.tsx'),
  check: () => import('./check/check.tsx'),
  requests: () => import('./requests/requests.tsx'),
  team: () => import('@counterfoil/ui/team/team-page.tsx'),
  audit: () => import('@counterfoil/ui/audit/audit-page.tsx'),
  apiKeys: () => import('./api-keys/api-keys.tsx'),
  licences: () => import('./licences/licences.tsx'),
  webhooks: () => import('@counterfoil/ui/webhooks/webhooks-page.tsx'),
  webhook: () => import('@counterfoil/ui/webhooks/webhook-page.tsx'),
  mail: () => import('@counterfoil/ui/mail/mail-page.tsx'),
  workspace: () => import('./workspace-settings/workspace-settings.tsx'),
};

startPanel({
  name: words.name,
  pages: listPages(paths, titles, loaders),
  tenantParam: 'workspace_id',
  tenantsPath: '/panel/workspaces',
  tenantWord: words.workspace,
  listTenants: async () => {
    const { workspaces } = await get<{ workspaces: (Workspace & { role: string })[] }>('/panel/workspaces');
    return workspaces.map(({ id, name, role }) => ({
      id,
      name,
      role,
      to: fillPath(paths.dashboard, { workspace_id: id }),
    }));
  },
  navigationOf: ({ id, role }) => {
    const to = (path: string) => fillPath(path, { workspace_id: id });
    return [
      {
        entries: [
          { label: titles.dashboard, to: to(paths.dashboard), icon: ChartColumn },
          { label: titles.items, to: to(paths.items), icon: Package },
          { label: titles.purchases, to: to(paths.purchases), icon: Receipt },
          { label: titles.pools, to: to(paths.pools), icon: Layers },
          { label: titles.abuse, to: to(paths.abuse), icon: ShieldAlert },
          { label: titles.check, to: to(paths.check), icon: BadgeCheck },
          { label: titles.requests, to: to(paths.requests), icon: Waypoints },
        ],
      },
      {
        title: words.people,
        entries: [
          { label: titles.team, to: to(paths.team), icon: Users },
          { label: titles.audit, to: to(paths.audit), icon: ScrollText },
        ],
      },
      {
        title: words.settings,
        entries: [
          { label: titles.apiKeys, to: to(paths.apiKeys), icon: KeyRound },
          { label: titles.licences, to: to(paths.licences), icon: FileKey },
          { label: titles.webhooks, to: to(paths.webhooks), icon: Webhook },
          ...(role === 'owner' ? [{ label: titles.mail, to: to(paths.mail), icon: Mail }] : []),
          { label: titles.workspace, to: to(paths.workspace), icon: Settings },
        ],
      },
    ];
  },
  webhooks: { paths, text: { title: titles.webhooks, ...words.webhooks } },
});
