// A limited number of permits, with a limit per tenant and one for all tenants together.

export function createPermits({ each, all }: { each: number; all: number }) {
  /** Has an entry only for tenants that have a permit, so at most `all` entries. */
  const taken = new Map<bigint | number, number>();
  let total = 0;
  const free = (tenant: bigint | number) => {
    const left = (taken.get(tenant) ?? 0) - 1;
    total--;
    if (left > 0) taken.set(tenant, left);
    else taken.delete(tenant);
  };
  return {
    /** Returns a function that releases the permit; undefined if a limit is reached. */
    acquire: (tenant: bigint | number): (() => void) | undefined => {
      const own = taken.get(tenant) ?? 0;
      if (own >= each || total >= all) return undefined;
      taken.set(tenant, own + 1);
      total++;
      return () => free(tenant);
    },
  };
}
