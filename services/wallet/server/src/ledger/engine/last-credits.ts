// Caches each package's credit after its last batch. Overload answers contain this cached credit, because an
// overload answer must not wait for a query.

export interface LastCredits {
  store(packageId: number, credit: bigint): void;
  /**
   * The credit after the last batch that this process wrote for the package. Undefined if this process has
   * written no batch of the package in the last 5 seconds. Another process may have changed the credit since
   * the batch.
   */
  find(packageId: number): bigint | undefined;
  /** Called when the outcome of a write is unknown, because the credit is then unknown too. */
  invalidate(packageId: number): void;
}

const maxAgeMs = 5000;

/**
 * This cache is separate from the ledger's cache, because the ledger's cache is invalidated when another
 * process writes.
 */
export function createLastCredits(options: { maxPackages?: number; now?: () => number } = {}): LastCredits {
  const { maxPackages = 10_000, now = () => performance.now() } = options;
  const credits = new Map<number, { readonly credit: bigint; readonly atMs: number }>();
  return {
    store: (packageId, credit) => {
      if (credits.size >= maxPackages && !credits.has(packageId)) credits.clear();
      credits.set(packageId, { credit, atMs: now() });
    },
    invalidate: (packageId) => void credits.delete(packageId),
    find: (packageId) => {
      const last = credits.get(packageId);
      return last && now() - last.atMs <= maxAgeMs ? last.credit : undefined;
    },
  };
}
