// Sends a mail to the owners of a package when its credit falls to a worse alert level.
import { formatMinor } from '@counterfoil/kit/money';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { Mailer } from '@counterfoil/mail/outbox/mailer';
import { alertLevels, findAlertLevel } from '../packages/credit-alert.ts';
import type { ManagedPackage } from '../packages/managed-package.ts';
import { listPackages } from '../packages/queries.ts';
import { mailOwners } from './mail-owners.ts';
import { saveMailedLevel, selectMailedLevels } from './store.ts';

const pageSize = 500;

interface Deps {
  readonly db: Db;
  readonly mailer?: Mailer | undefined;
}

const rankOf = (level: string | null | undefined): number =>
  (alertLevels as readonly unknown[]).indexOf(level);

/**
 * Compares the alert level of each approved package with the level at the last run. Sandboxes are left out. A
 * package without a stored level is new. Its owners get no mail, because they know its first credit.
 */
export async function mailCreditAlerts(deps: Deps): Promise<void> {
  const { db, mailer } = deps;
  if (!mailer || mailer.mode === 'off') return;
  const levels = await selectMailedLevels(db);
  for (let before: bigint | undefined, isFull = true; isFull; ) {
    const filter = { before, limit: pageSize, state: 'approved', sandbox: false } as const;
    const packages = await listPackages(db, filter);
    for (const each of packages) await compareLevel({ db, mailer }, each, levels);
    isFull = packages.length === pageSize;
    before = BigInt(packages.at(-1)?.id ?? 0);
  }
}

async function compareLevel(
  { db, mailer }: Required<Deps> & { mailer: Mailer },
  found: ManagedPackage,
  levels: ReadonlyMap<number, string | null>,
): Promise<void> {
  const previous = levels.get(found.id);
  const level = findAlertLevel(found, found.credit);
  if (levels.has(found.id) && previous === (level ?? null)) return;
  await db.transaction(async (tx) => {
    if (!(await saveMailedLevel(tx, found.id, level))) return;
    const isWorse = levels.has(found.id) && rankOf(level) > rankOf(previous);
    if (!level || !isWorse) return;
    const values = {
      package: found.name,
      level,
      balance: formatMinor(found.credit, found),
      threshold: formatMinor(found.alertThreshold, found),
      currency: found.currency,
      url: `${mailer.sender.publicUrl}/p/${found.id}/credit`,
    };
    await mailOwners(mailer, tx, BigInt(found.id), { kind: 'credit_alert', values });
  });
}
