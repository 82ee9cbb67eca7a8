// The current tenant, and all tenants of the signed-in person.
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { createContext, useContext } from 'react';
import { useMe } from './api/me.ts';
import { type Query, writeQuery } from './api/request.ts';
import { fillPath, type Tenant, usePanel } from './panel.ts';

export const tenantsKey = ['tenants'] as const;

export function useTenants() {
  const panel = usePanel();
  const { data: me } = useMe();
  return useQuery({
    queryKey: [...tenantsKey, me?.person.id],
    queryFn: () => panel.listTenants(me as NonNullable<typeof me>),
    enabled: me !== undefined,
    staleTime: 60_000,
  });
}

/**
 * Returns the id of the tenant in the address, or undefined on pages without a tenant, such as the account
 * page.
 */
export function useTenantId(): number | undefined {
  const { tenantParam } = usePanel();
  const params = useParams({ strict: false }) as Record<string, string | undefined>;
  const id = params[tenantParam];
  return id === undefined ? undefined : Number(id);
}

export const TenantContext = createContext<Tenant | undefined>(undefined);

/**
 * Returns the data and addresses of the current tenant, and whether the person owns the tenant. Throws on a
 * page that belongs to no tenant.
 */
export function useTenant() {
  const { tenantParam, tenantsPath } = usePanel();
  const tenant = useContext(TenantContext);
  if (!tenant) throw new Error('useTenant on a page without one');
  const { id, name, role } = tenant;
  return {
    id,
    name,
    isOwner: role === 'owner',
    /** The path of this tenant in the service. */
    base: `${tenantsPath}/${id}`,
    /** Returns the address of a page. Values that are not part of the path become query parameters. */
    to: (path: string, values: Query = {}) => {
      const steps = path.split('/');
      const others = Object.entries(values).filter(([key]) => !steps.includes(`$${key}`));
      const filled = fillPath(path, { ...values, [tenantParam]: id });
      return `${filled}${writeQuery(Object.fromEntries(others))}`;
    },
  };
}
