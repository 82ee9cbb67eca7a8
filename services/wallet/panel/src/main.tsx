// The wallet panel: its pages, and the tenants of the signed-in person.
import type { Me } from '@counterfoil/ui/api/me.ts';
import { get } from '@counterfoil/ui/api/request.ts';
import { fillPath, listPages, type Page, type Tenant } from '@counterfoil/ui/panel.ts';
import { startPanel } from '@counterfoil/ui/start-panel.tsx';
import { paths } from './paths.ts';
import { Banner } from './shell/banner.tsx';
import { navigationOf, platformId } from './shell/navigation.ts';
import { words } from './strings.ts';
import type { Package } from './wire.ts';
import './wallet.css';

const loaders: Record<keyof typeof paths, Page['load']> = {
  overview: () => import('./overview/overview.tsx'),
  players: () => import('./players/players.tsx'),
  player: () => import('./players/player.tsx'),
  ledger: () => import('./ledger/ledger.tsx'),
  transactions: () => import('./transactions/transactions.tsx'),
  rounds: () => import('./rounds/rounds.tsx'),
  round: () => import('./rounds/round.tsx'),
  games: () => import('./games/games.tsx'),
  callbacks: () => import('./callbacks/callbacks.tsx'),
  credit: () => import('./credit/credit.tsx'),
  proof: () => import('./proof/proof.tsx'),
  team: () => import('@counterfoil/ui/team/team-page.tsx'),
  audit: () => import('@counterfoil/ui/audit/audit-page.tsx'),
  credentials: () => import('./settings/credentials.tsx'),
  access: () => import('./settings/access.tsx'),
  callbackSecurity: () => import('./settings/callback-security.tsx'),
  webhooks: () => import('@counterfoil/ui/webhooks/webhooks-page.tsx'),
  webhook: () => import('@counterfoil/ui/webhooks/webhook-page.tsx'),
  providers: () => import('./providers/providers.tsx'),
  provider: () => import('./providers/provider.tsx'),
  adminPackages: () => import('./admin/packages.tsx'),
  adminPackage: () => import('./admin/package.tsx'),
  adminProvider: () => import('./admin/provider.tsx'),
  adminProofs: () => import('./admin/proofs.tsx'),
  adminTokens: () => import('./admin/tokens.tsx'),
  adminMail: () => import('./admin/mail.tsx'),
  adminTeam: async () => ({ default: (await import('./admin/people.tsx')).AdminTeam }),
  adminAudit: async () => ({ default: (await import('./admin/people.tsx')).AdminAudit }),
};

const platform: Tenant = {
  id: platformId,
  name: words.platform,
  role: 'administrator',
  to: paths.adminPackages,
};

async function listTenants(me: Me): Promise<readonly Tenant[]> {
  const { packages } = await get<{ packages: { role: string; package: Package }[] }>('/panel/packages');
  const isAdministrator = me.memberships.some(({ tenant_id: id }) => id === platformId);
  const own = packages.map(({ role, package: { id, name, sandbox } }) => ({
    id,
    name: sandbox ? words.sandboxOf(name) : name,
    role,
    to: fillPath(paths.overview, { package_id: id }),
  }));
  return isAdministrator ? [platform, ...own] : own;
}

startPanel({
  name: words.name,
  pages: listPages(paths, words.pages, loaders),
  tenantParam: 'package_id',
  tenantsPath: '/panel/packages',
  tenantWord: words.package,
  listTenants,
  navigationOf,
  banner: Banner,
  webhooks: { paths, text: { title: words.pages.webhooks, ...words.webhooks } },
});
