// The licensing panel: its pages and navigation.
import { get } from '@counterfoil/ui/api/request.ts';
import { fillPath, type Page } from '@counterfoil/ui/panel.ts';
import { startPanel } from '@counterfoil/ui/start-panel.tsx';
import {
  BadgeCheck,
  ChartColumn,
  KeyRound,
  Package,
  Receipt,
  ScrollText,
  Settings,
  Users,
  Waypoints,
  Webhook,
} from 'lucide-react';
import { paths } from './paths.ts';
import { words } from './strings.ts';
import type { Workspace } from './wire.ts';

const { pages: titles } = words;

const loadShared =
  (name: keyof typeof import('./shared-pages.tsx')): Page['load'] =>
  async () => ({ default: (await import('./shared-pages.tsx'))[name] });

const pages: readonly Page[] = [
  {
    path: paths.dashboard,
    title: titles.dashboard,
    load: () => import('./dashboard/dashboard.tsx'),
  },
  { path: paths.items, title: titles.items, load: () => import('./items/items.tsx') },
  { path: paths.newItem, title: titles.newItem, load: () => import('./items/new-item.tsx') },
  { path: paths.item, title: titles.item, load: () => import('./items/item.tsx') },
  {
    path: paths.purchases,
    title: titles.purchases,
    load: () => import('./purchases/purchases.tsx'),
  },
  {
    path: paths.importPurchases,
    title: titles.importPurchases,
    load: () => import('./purchases/import-purchases.tsx'),
  },
  { path: paths.purchase, title: titles.purchase, load: () => import('./purchases/purchase.tsx') },
  { path: paths.check, title: titles.check, load: () => import('./check/check.tsx') },
  { path: paths.requests, title: titles.requests, load: () => import('./requests/requests.tsx') },
  { path: paths.team, title: titles.team, load: loadShared('Team') },
  { path: paths.audit, title: titles.audit, load: loadShared('Audit') },
  { path: paths.apiKeys, title: titles.apiKeys, load: () => import('./api-keys/api-keys.tsx') },
  { path: paths.webhooks, title: titles.webhooks, load: loadShared('Webhooks') },
  { path: paths.webhook, title: titles.webhooks, load: loadShared('Webhook') },
  {
    path: paths.workspace,
    title: titles.workspace,
    load: () => import('./workspace-settings/workspace-settings.tsx'),
  },
];

startPanel({
  name: words.name,
  pages,
  tenantParam: 'workspace_id',
  tenantWord: words.workspace,
  listTenants: async () => {
    const { workspaces } = await get<{ workspaces: (Workspace & { role: string })[] }>(
      '/panel/workspaces',
    );
    return workspaces.map(({ id, name, role }) => ({
      id,
      name,
      role,
      to: fillPath(paths.dashboard, { workspace_id: id }),
    }));
  },
  navigationOf: ({ id }) => {
    const to = (path: string) => fillPath(path, { workspace_id: id });
    return [
      {
        entries: [
          { label: titles.dashboard, to: to(paths.dashboard), icon: ChartColumn },
          { label: titles.items, to: to(paths.items), icon: Package },
          { label: titles.purchases, to: to(paths.purchases), icon: Receipt },
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
          { label: titles.webhooks, to: to(paths.webhooks), icon: Webhook },
          { label: titles.workspace, to: to(paths.workspace), icon: Settings },
        ],
      },
    ];
  },
});
