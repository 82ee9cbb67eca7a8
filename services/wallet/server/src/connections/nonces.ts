// Accepts each nonce of a signed request once, while its signature is timely.

/** The most nonces in memory; the oldest half is dropped first. */
const maxNonces = 100_000;

export interface NonceStore {
  /** Returns false if this connection has used the nonce. */
  accept(connectionId: string, nonce: string): boolean;
}

/**
 * Nonces are in the memory of one process: a request that is replayed to another process or after a restart
 * is a repeat for the ledger, which moves no money.
 */
export function createNonceStore(): NonceStore {
  let recent = new Set<string>();
  let older = new Set<string>();
  return {
    accept: (connectionId, nonce) => {
      const key = `${connectionId} ${nonce}`;
      if (recent.has(key) || older.has(key)) return false;
      recent.add(key);
      if (recent.size >= maxNonces / 2) {
        older = recent;
        recent = new Set();
      }
      return true;
    },
  };
}
