// Mutants that behave like the original, each with the reason. They are not counted.

const ledger = 'services/wallet/server/src/ledger';
const dialects = 'services/wallet/server/src/connections/dialects';

/** A mutant without an observable effect. */
interface Equivalent {
  readonly file: string;
  /** Matches the line that the mutant changes. */
  readonly on: RegExp;
  /**
   * Matches the expression before the change. `after` matches the changed expression. Without `after`, every
   * change of the expression is equivalent.
   */
  readonly before: RegExp;
  readonly after?: RegExp;
  readonly why: string;
}

const money = { file: 'libs/kit/src/money.ts' };
const recent = { file: `${ledger}/engine/recent-movements.ts` };
const sentKeys = { file: 'services/licensing/server/src/authentication/sent-keys.ts' };

export const equivalents: readonly Equivalent[] = [
  {
    ...money,
    on: /if \(typeof amount === 'number'\)|if \(minor !== undefined\)/,
    before: /./,
    why: 'the decimal text gives the same result for numbers that skip this fast path',
  },
  {
    ...money,
    on: /Math\.round\(amount \* power\)/,
    before: /^amount \* power$/,
    why: 'the fast path then accepts only zero',
  },
  {
    ...money,
    on: /^ {2}return minor >= 0 && /,
    before: /^(?:minor >= 0|0|minor \/ power)$/,
    why: 'the fast path then accepts fewer numbers',
  },
  {
    ...money,
    on: /^ {2}return minor >= 0 && /,
    before: /&&.*&&/,
    after: /^false$/,
    why: 'the fast path then accepts no number',
  },
  {
    ...money,
    on: /const digits = /,
    before: /^(?:minor < 0n|0n)$/,
    after: /^(?:\(minor\) <= \(0n\)|1n)$/,
    why: 'minus zero equals zero',
  },
  { ...money, on: /const powers = /, before: /^10$/, why: 'no currency has one decimal' },
  {
    ...money,
    on: /isSafeInteger/,
    before: /./,
    after: /^true$/,
    why: 'the decimal text of a safe integer gives the same double as the division',
  },
  {
    file: 'libs/kit/src/crypto/keyed-hash.ts',
    on: /maxTextBytes = 1024|text\.length \* 3 > maxTextBytes/,
    before: /^(?:1024|3|text\.length \* 3 > maxTextBytes)$/,
    after: /^(?:1025|4|true|.* >= .*)$/,
    why: 'the slow path gives the same digest, and texts of 342 code units always take it',
  },
  {
    file: 'libs/kit/src/http/throttle.ts',
    on: /counters\.keys\(\)\.next\(\)/,
    before: /\?\? source$/,
    why: 'a full table has a first key',
  },
  {
    file: 'libs/kit/src/http/network.ts',
    on: /split\('%'\)\[0\]/,
    before: /\?\? address$/,
    why: 'a split text has a first part',
  },
  {
    file: 'libs/kit/src/http/network.ts',
    on: /tail === undefined \? \[\]/,
    before: /^tail === undefined$/,
    after: /^false$/,
    why: 'only the first four groups count, and a complete address has them all',
  },
  {
    file: 'libs/identity/src/second-factor/totp.ts',
    on: /let buffered = 0/,
    before: /^0$/,
    why: 'the initial bit is above the first byte and is never read',
  },
  {
    file: 'libs/identity/src/sessions/cross-site.ts',
    on: /startsWith\('\/panel\/'\)/,
    before: /\?\? false$/,
    why: 'undefined counts as false',
  },
  {
    file: 'services/wallet/server/src/packages/callers/authenticate.ts',
    on: /pair\?\.secretHash \?\? Buffer\.alloc\(32\)/,
    before: /^32$/,
    why: 'without a pair the request is refused, even if the secret matches',
  },
  {
    file: 'services/wallet/server/src/packages/callers/authenticate.ts',
    on: /!customerPackage \|\| !pair/,
    before: /^!customerPackage \|\| !pair$/,
    after: /&&/,
    why: 'an unknown package has no pair, and without a pair no secret matches',
  },
  {
    ...sentKeys,
    on: /headers\.authorization !== undefined \|\|/,
    before: /\|\|/,
    after: /^true$/,
    why: 'the raw headers give the same result, only more slowly',
  },
  {
    ...sentKeys,
    on: /inQuery\.length === 0 \?/,
    before: /^inQuery\.length === 0$/,
    after: /^false$/,
    why: 'a list is unchanged if an empty list is prepended',
  },
  {
    ...sentKeys,
    on: /\?\? ''/,
    before: /\?\? ''$/,
    why: 'an empty key is treated like a missing key',
  },
  {
    file: 'services/wallet/server/src/packages/callers/authenticate-from-cache.ts',
    on: /randomBytes\(32\)/,
    before: /^32$/,
    why: 'the salt of this process may be one byte longer',
  },
  {
    file: `${dialects}/amounts.ts`,
    on: /decimals [<>]= unitDecimals/,
    before: /^decimals [<>]= unitDecimals$/,
    after: /^\(decimals\) [<>] \(unitDecimals\)$/,
    why: 'with equal decimals, both calculations leave the amount unchanged',
  },
  {
    file: `${dialects}/softswiss/signature.ts`,
    on: /typeof given !== 'string' \|\| !form\.test/,
    before: /\|\|/,
    after: /&&/,
    why: 'a text of another form is not equal to the right signature',
  },
  {
    file: `${dialects}/valkyrie/signature.ts`,
    on: /headers\.authorization \?\? ''/,
    before: /\?\? ''$/,
    why: 'an expression that is given undefined searches the text "undefined", which has no token',
  },
  {
    file: `${dialects}/slotegrator/signature.ts`,
    on: /pairs\.sort\(/,
    before: /^(?:1|a\.first > b\.first)$/,
    after: /^(?:2|.* >= .*)$/,
    why: 'a sort depends only on whether a result is below zero',
  },
  {
    file: `${dialects}/hub88/signature.ts`,
    on: /const maxKeys = 1000/,
    before: /^1000$/,
    why: 'the memory may have one key more',
  },
  {
    file: `${dialects}/hub88/signature.ts`,
    on: /if \(!pem \|\| pem === last\) continue/,
    before: /\|\|/,
    after: /^false$|&&/,
    why: 'without a key nothing is accepted, and the same key gives the same result again',
  },
  {
    file: `${ledger}/rules/decide-bet.ts`,
    on: /if \(id === movement\.creditAccount\)/,
    before: /./,
    after: /^true$/,
    why: 'the second leg uses only the two accounts of the first',
  },
  {
    file: `${ledger}/rules/decide-batch.ts`,
    on: /legs\.length > 1 \? createOverlay/,
    before: /^legs\.length > 1$/,
    after: /^(?:true|.* >= .*)$/,
    why: 'an overlay is only slower for a single leg',
  },
  {
    file: `${ledger}/rules/decide-batch.ts`,
    on: /\? repeat : -1/,
    before: /^1$/,
    why: 'every negative number stands for none',
  },
  {
    file: `${ledger}/engine/apply-batch.ts`,
    on: /if \(seen\) state\.movements\.set/,
    before: /^seen$/,
    after: /^true$/,
    why: 'a movement that is stored as undefined counts as absent',
  },
  {
    ...recent,
    on: /^const (?:packageAt|kindAt|resultAt|recordBytes) = /,
    before: /^\d$/,
    why: 'no code reads the byte between two fields',
  },
  {
    ...recent,
    on: /const wantedSlots = /,
    before: /^[12]$/,
    why: 'the index only has more free slots',
  },
  {
    ...recent,
    on: /Number\.parseInt\(idHash/,
    before: /^(?:0|8|16)$/,
    why: 'a search may start at any slot that depends only on the id',
  },
  {
    ...recent,
    on: /\(slot \+ 1\) & mask/,
    before: /^(?:slot \+ 1|1)$/,
    why: 'a search backwards or in steps of two finds a free slot too',
  },
  {
    file: `${ledger}/rules/chain.ts`,
    on: /Buffer\.alloc\(4096\)/,
    before: /^4096$/,
    why: 'the scratch area is only one byte longer than the longest row needs',
  },
  {
    file: `${ledger}/rules/chain.ts`,
    on: /scratch\.fill\(0, at, at \+ 16\)/,
    before: /^16$/,
    why: 'the byte after a hash is overwritten later',
  },
  {
    file: `${ledger}/rules/decide-rollback.ts`,
    on: /const shortfall = /,
    before: /^win > balance$/,
    after: /^\(win\) >= \(balance\)$/,
    why: 'the difference of two equal amounts is zero',
  },
];
