// The navigation of a package and of the platform.
import { fillPath, type NavigationGroup, type Tenant } from '@counterfoil/ui/panel.ts';
import {
  Activity,
  BookOpenCheck,
  Boxes,
  Cable,
  Coins,
  Dices,
  KeyRound,
  Mail,
  NotebookTabs,
  PlugZap,
  Radio,
  ScanSearch,
  ScrollText,
  Send,
  ShieldCheck,
  Spade,
  Ticket,
  UserRound,
  Users,
  Webhook,
} from 'lucide-react';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';

const { pages: titles, groups } = words;

/** The tenant id of the platform. A person with a membership in this tenant is an administrator. */
export const platformId = 0;

const platform: readonly NavigationGroup[] = [
  {
    entries: [
      {
        label: titles.adminPackages,
        to: paths.adminPackages,
        icon: Boxes,
        below: paths.adminPackage.replace('/$managed_id', ''),
      },
      { label: titles.adminProvider, to: paths.adminProvider, icon: PlugZap },
      { label: titles.adminProofs, to: paths.adminProofs, icon: BookOpenCheck },
    ],
  },
  {
    title: groups.people,
    entries: [
      { label: titles.adminTeam, to: paths.adminTeam, icon: Users },
      { label: titles.adminTokens, to: paths.adminTokens, icon: Ticket },
      { label: titles.adminMail, to: paths.adminMail, icon: Mail },
      { label: titles.audit, to: paths.adminAudit, icon: ScrollText },
    ],
  },
];

export function navigationOf({ id }: Tenant): readonly NavigationGroup[] {
  if (id === platformId) return platform;
  const to = (path: string) => fillPath(path, { package_id: id });
  return [
    {
      entries: [
        { label: titles.overview, to: to(paths.overview), icon: Activity },
        { label: titles.players, to: to(paths.players), icon: UserRound, below: to(paths.player) },
        { label: titles.games, to: to(paths.games), icon: Dices },
        { label: titles.rounds, to: to(paths.rounds), icon: Spade, below: to(paths.round) },
      ],
    },
    {
      title: groups.money,
      entries: [
        { label: titles.ledger, to: to(paths.ledger), icon: NotebookTabs },
        { label: titles.transactions, to: to(paths.transactions), icon: ScanSearch },
        { label: titles.callbacks, to: to(paths.callbacks), icon: Webhook },
        { label: titles.credit, to: to(paths.credit), icon: Coins },
        { label: titles.proof, to: to(paths.proof), icon: BookOpenCheck },
      ],
    },
    {
      title: groups.settings,
      entries: [
        { label: titles.credentials, to: to(paths.credentials), icon: KeyRound },
        { label: titles.access, to: to(paths.access), icon: ShieldCheck },
        { label: titles.callbackSecurity, to: to(paths.callbackSecurity), icon: Radio },
        { label: titles.providers, to: to(paths.providers), icon: Cable },
        { label: titles.webhooks, to: to(paths.webhooks), icon: Send },
      ],
    },
    {
      title: groups.people,
      entries: [
        { label: titles.team, to: to(paths.team), icon: Users },
        { label: titles.audit, to: to(paths.audit), icon: ScrollText },
      ],
    },
  ];
}
