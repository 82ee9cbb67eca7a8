// Places that are few: each tenant has a share of them, and all together have an end.

export interface Places {
  /** Takes one, and gives back what frees it; undefined where the share or the whole is taken. */
  take(tenant: bigint | number): (() => void) | undefined;
}

export function createPlaces({ each, all }: { each: number; all: number }): Places {
  /** Only of those who have some: no larger than `all`. */
  const taken = new Map<bigint | number, number>();
  let total = 0;
  const free = (tenant: bigint | number) => {
    const left = (taken.get(tenant) ?? 0) - 1;
    total--;
    if (left > 0) taken.set(tenant, left);
    else taken.delete(tenant);
  };
  return {
    take: (tenant) => {
      const own = taken.get(tenant) ?? 0;
      if (own >= each || total >= all) return undefined;
      taken.set(tenant, own + 1);
      total++;
      return () => free(tenant);
    },
  };
}
