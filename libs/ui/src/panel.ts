// Describes a panel to the parts that both panels share: its pages, tenants and navigation.
import type { LucideIcon } from 'lucide-react';
import { type ComponentType, createContext, useContext } from 'react';
import type { Me } from './api/me.ts';
import type { Query } from './api/request.ts';

/** A workspace or a package. */
export interface Tenant {
  readonly id: number;
  readonly name: string;
  readonly role: string;
  /** The address of the tenant's first page. */
  readonly to: string;
}

export interface NavigationEntry {
  readonly label: string;
  readonly to: string;
  readonly icon: LucideIcon;
  /** The prefix of the subpages' addresses. It is set only if it differs from `to`. */
  readonly below?: string;
}

export interface NavigationGroup {
  readonly title?: string;
  readonly entries: readonly NavigationEntry[];
}

export interface Page {
  /** The path of the page from the panel's `paths.ts`, with `$name` for parameters. */
  readonly path: string;
  readonly title: string;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

/** Makes the list of a panel's pages. The three objects have one entry per page, under the same key. */
export const listPages = <Name extends string>(
  paths: Readonly<Record<Name, string>>,
  titles: Readonly<Record<Name, string>>,
  loaders: Readonly<Record<Name, Page['load']>>,
): Page[] =>
  (Object.keys(paths) as Name[]).map((name) => ({
    path: paths[name],
    title: titles[name],
    load: loaders[name],
  }));

export interface Panel {
  readonly name: string;
  /** The pages inside the frame, without the pages that both panels share, such as the account page. */
  readonly pages: readonly Page[];
  /** The name of the address parameter that contains the id of the tenant. */
  readonly tenantParam: string;
  /** The path in the service to which the id of a tenant is appended. */
  readonly tenantsPath: string;
  readonly tenantWord: string;
  readonly listTenants: (me: Me) => Promise<readonly Tenant[]>;
  readonly navigationOf: (tenant: Tenant) => readonly NavigationGroup[];
  /** Shown above every page of a tenant. */
  readonly banner?: ComponentType<{ readonly tenant: Tenant }>;
  readonly webhooks: {
    /** The paths of the list of endpoints and of one endpoint. */
    readonly paths: { readonly webhooks: string; readonly webhook: string };
    readonly text: {
      readonly title: string;
      readonly text: string;
      /** The text that is shown if there are no endpoints yet. */
      readonly noneText: string;
      /** The description of each event type. */
      readonly events: Readonly<Record<string, string>>;
    };
  };
}

export const PanelContext = createContext<Panel | undefined>(undefined);

export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (!panel) throw new Error('usePanel outside of startPanel');
  return panel;
}

/**
 * Fills parameters into a path: `fillPath('/w/$workspace_id/items', { workspace_id: 7 })` is `/w/7/items`.
 */
export const fillPath = (path: string, params: Query): string =>
  path.replace(/\$(\w+)/g, (_match, name: string) => encodeURIComponent(String(params[name])));
