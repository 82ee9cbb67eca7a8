// A limited number of permits, with one limit per tenant and one limit for all tenants together.

export function createPermits({ each, all }: { each: number; all: number }) {
  /**
   * The number of permits of each tenant. Tenants without a permit have no entry, so there are at most `all`
   * entries.
   */
  const taken = new Map<bigint | number | string, number>();
  let total = 0;
  const free = (tenant: bigint | number | string) => {
    const left = (taken.get(tenant) ?? 0) - 1;
    total--;
    if (left > 0) taken.set(tenant, left);
    else taken.delete(tenant);
  };
  return {
    /** Returns a function that releases the permit, or undefined if a limit is reached. */
    acquire: (tenant: bigint | number | string): (() => void) | undefined => {
      const own = taken.get(tenant) ?? 0;
      if (own >= each || total >= all) return undefined;
      taken.set(tenant, own + 1);
      total++;
      return () => free(tenant);
    },
  };
}
