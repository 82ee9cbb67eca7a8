// The tenant whose pages one is on.
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { createContext, useContext } from 'react';
import { useMe } from './api/me.ts';
import { type Tenant, usePanel } from './panel.ts';

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

/** The id in the address; undefined on pages that belong to nobody, like one's own account. */
export function useTenantId(): number | undefined {
  const { tenantParam } = usePanel();
  const params = useParams({ strict: false }) as Record<string, string | undefined>;
  const id = params[tenantParam];
  return id === undefined ? undefined : Number(id);
}

export const TenantContext = createContext<Tenant | undefined>(undefined);

/** On a tenant's pages, which are shown only once it is known. */
export function useTenant(): Tenant {
  const tenant = useContext(TenantContext);
  if (!tenant) throw new Error('useTenant on a page without one');
  return tenant;
}
