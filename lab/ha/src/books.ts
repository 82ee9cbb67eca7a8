// Creates a funded package with a few players in the wallet's database.
import { parseMasterKey } from '@counterfoil/kit/crypto/secrets';
import { createLogger } from '@counterfoil/kit/observability/logging';
import { openDb } from '@counterfoil/kit/postgres/db';
import { createLedger } from '@counterfoil/wallet-server/ledger/engine/ledger';
import { openLedgerDb } from '@counterfoil/wallet-server/ledger/open-ledger-db';
import { topUp, transfer } from '@counterfoil/wallet-server/ledger/transfer';
import { createPackage } from '@counterfoil/wallet-server/packages/credentials/issue-package';
import { createPlayer } from '@counterfoil/wallet-server/players/create-player';

const playerCount = 16;
const creditMinor = 1_000_000_000n;
/** The opening balance of each player, small enough that some debits are refused. */
const openingMinor = 500n;

export interface Books {
  readonly packageId: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly players: readonly string[];
}

export async function makeBooks(url: string, masterKeyText: string): Promise<Books> {
  const logger = createLogger({ service: 'ha', level: 'warn' });
  const db = openDb({ url, applicationName: 'ha books', queryTimeoutMs: 30_000 });
  const ledgerDb = openLedgerDb({ url, logger });
  try {
    const ledger = createLedger({ db: ledgerDb });
    const wanted = { name: 'Trial', currency: 'EUR', state: 'approved', domains: [] } as const;
    const issued = await db.transaction((tx) => createPackage(tx, parseMasterKey(masterKeyText), wanted));
    const own = { packageId: issued.id, overdraftLimit: 0n, note: '' };
    const opening = { ...own, type: 'top_up', amount: creditMinor, transactionId: 'o' } as const;
    await topUp(ledger, opening);
    const players: string[] = [];
    for (let i = 1; i <= playerCount; i++) {
      const playerId = `player-${i}`;
      const made = await createPlayer(db, { packageId: issued.id, playerId }, new Date());
      await transfer(ledger, {
        ...own,
        account: made.player.accountId,
        type: 'credit',
        amount: openingMinor,
        transactionId: `opening-${i}`,
      });
      players.push(playerId);
    }
    const headers = {
      'content-type': 'application/json',
      'x-uid': issued.uid,
      'x-api-key': issued.caller.apiKey,
      'x-api-secret': issued.caller.apiSecret,
    };
    return { packageId: issued.id, headers, players };
  } finally {
    await ledgerDb.end();
    await db.end();
  }
}
