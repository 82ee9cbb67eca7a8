// Adds codes of the seller to a pool. Refused codes are reported one by one, and the other codes are added.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { hashCode, makeCodeHint, parseCode, type StoredCode, toStoredCode } from '../purchases/code.ts';
import { NamedObject } from '../wire/input.ts';
import { addStock } from './add-stock.ts';
import type { Pool } from './pool.ts';
import { auditPool, keyOf, type PoolToChange } from './pool-audit.ts';
import { getPool, type KnownCode, refuseFullItem, selectKnownCodes } from './queries.ts';
import { insertCodes, lockStock } from './store.ts';

export const refusals = ['malformed', 'repeated', 'in_pool', 'of_purchase', 'replaced'] as const;

export const RefusedCode = NamedObject('RefusedCode', {
  position: Type.Integer({ description: 'The position in `codes`, counted from 1.' }),
  code_hint: Type.String({ description: 'The last characters of the code; "" if it is malformed.' }),
  reason: Type.Enum([...refusals], {
    description:
      '`malformed`: not 1 to 128 printable characters. `repeated`: the same code came earlier in the ' +
      'request. `in_pool`: the code is or was in the pool `pool_name`. `of_purchase`: the code belongs to ' +
      'a purchase. `replaced`: the code belonged to a purchase and was replaced.',
  }),
  pool_name: Type.String({ description: 'The pool that has the code; "" for other reasons.' }),
});

interface Refused {
  readonly position: number;
  readonly code_hint: string;
  readonly reason: (typeof refusals)[number];
  readonly pool_name: string;
}

export interface ImportedCodes {
  readonly pool: Pool;
  readonly added: number;
  readonly refused: readonly Refused[];
}

const reasonOf = { pool: 'in_pool', purchase: 'of_purchase', replaced: 'replaced' } as const;

interface GivenCode {
  readonly position: number;
  readonly code: string;
  readonly hash: Buffer;
}

/** The rules for a code are those of an import of purchases. */
export async function importCodes(
  tx: Tx,
  masterKey: MasterKey,
  target: PoolToChange & { readonly codes: readonly string[] },
): Promise<ImportedCodes> {
  const key = keyOf(target);
  const { workspaceId } = key;
  await lockStock(tx, workspaceId);
  const pool = await getPool(tx, key);
  const { given, refused } = parseCodes(masterKey, target.codes);
  const hashes = given.map(({ hash }) => hash.toString('hex'));
  const known = new Map<string, KnownCode>();
  for (const each of await selectKnownCodes(tx, { workspaceId, hashes })) known.set(each.hash, each);
  const fresh: StoredCode[] = [];
  for (const { position, code, hash } of given) {
    const found = known.get(hash.toString('hex'));
    if (!found) fresh.push(toStoredCode(masterKey, code, hash));
    else refused.push(refuse({ position, code }, reasonOf[found.at], found.poolName));
  }
  refused.sort((a, b) => a.position - b.position);
  if (fresh.length === 0) return { pool, added: 0, refused };
  await refuseFullItem(tx, pool, fresh.length);
  const added = await insertCodes(tx, key, fresh);
  const after = await addStock(tx, key, { added, at: target.now });
  await auditPool(tx, target, 'pool_codes_imported', { count: added });
  return { pool: after, added, refused };
}

const refuse = (
  { position, code }: { position: number; code: string },
  reason: Refused['reason'],
  pool_name = '',
): Refused => ({
  position,
  code_hint: reason === 'malformed' ? '' : makeCodeHint(code),
  reason,
  pool_name,
});

function parseCodes(masterKey: MasterKey, texts: readonly string[]) {
  const given: GivenCode[] = [];
  const refused: Refused[] = [];
  const seen = new Set<string>();
  for (const [index, text] of texts.entries()) {
    const position = index + 1;
    const code = parseCode(text);
    if (code === undefined) {
      refused.push(refuse({ position, code: text }, 'malformed'));
      continue;
    }
    const hash = hashCode(masterKey, code);
    if (seen.has(hash.toString('hex'))) refused.push(refuse({ position, code }, 'repeated'));
    else given.push({ position, code, hash });
    seen.add(hash.toString('hex'));
  }
  return { given, refused };
}
