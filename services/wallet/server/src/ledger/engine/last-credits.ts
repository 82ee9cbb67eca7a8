// Each package's credit as a batch left it, for refusals that must neither wait nor ask.

export interface LastCredits {
  keep(packageId: number, credit: bigint): void;
  /** Undefined where no batch was written for so long that somebody else may have moved it. */
  find(packageId: number): bigint | undefined;
  /** It may have been moved since, and nobody knows. */
  forget(packageId: number): void;
}

const maxAgeMs = 5000;

/** Apart from the memory that batches are decided on: that is forgotten whenever another process writes. */
export function createLastCredits(
  options: { maxPackages?: number; now?: () => number } = {},
): LastCredits {
  const { maxPackages = 10_000, now = () => performance.now() } = options;
  const kept = new Map<number, { readonly credit: bigint; readonly atMs: number }>();
  return {
    keep: (packageId, credit) => {
      if (kept.size >= maxPackages && !kept.has(packageId)) kept.clear();
      kept.set(packageId, { credit, atMs: now() });
    },
    forget: (packageId) => void kept.delete(packageId),
    find: (packageId) => {
      const last = kept.get(packageId);
      return last && now() - last.atMs <= maxAgeMs ? last.credit : undefined;
    },
  };
}
