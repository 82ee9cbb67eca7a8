// Mutants that behave like the original, each with the reason. No test can detect them.

const ledger = 'services/wallet/server/src/ledger';

/** A mutant without an observable effect. */
interface Equivalent {
  readonly file: string;
  /** The line that it changes. */
  readonly on: RegExp;
  /** The text before and after the change. */
  readonly before: RegExp;
  readonly after?: RegExp;
  readonly why: string;
}

const money = { file: 'libs/kit/src/money.ts' };
const recent = { file: `${ledger}/engine/recent-movements.ts` };
const sentKeys = { file: 'services/licensing/server/src/authentication/sent-keys.ts' };

/** These mutants are not counted. */
export const equivalents: readonly Equivalent[] = [
  {
    ...money,
    on: /if \(typeof amount === 'number'\)|if \(minor !== undefined\)/,
    before: /./,
    why: 'a short cut for numbers; whatever it does not take, the text decides the same',
  },
  {
    ...money,
    on: /Math\.round\(amount \* power\)/,
    before: /^amount \* power$/,
    why: 'the short cut then takes nothing but zero',
  },
  {
    ...money,
    on: /^ {2}return minor >= 0 && /,
    before: /^(?:minor >= 0|0|minor \/ power)$/,
    why: 'the short cut takes less, down to not even zero',
  },
  {
    ...money,
    on: /^ {2}return minor >= 0 && /,
    before: /&&.*&&/,
    after: /^false$/,
    why: 'the short cut takes nothing',
  },
  {
    ...money,
    on: /const digits = /,
    before: /^(?:minor < 0n|0n)$/,
    after: /^(?:\(minor\) <= \(0n\)|1n)$/,
    why: 'nothing, turned round, is nothing',
  },
  { ...money, on: /const powers = /, before: /^10$/, why: 'no currency has one decimal' },
  {
    ...money,
    on: /isSafeInteger/,
    before: /./,
    after: /^true$/,
    why: 'the text of a whole number, divided, names the double that the division gives',
  },
  {
    file: 'libs/kit/src/crypto/keyed-hash.ts',
    on: /maxTextBytes = 1024|text\.length \* 3 > maxTextBytes/,
    before: /^(?:1024|3|text\.length \* 3 > maxTextBytes)$/,
    after: /^(?:1025|4|true|.* >= .*)$/,
    why: 'the long way round gives the same digest, and 342 code units take it in any case',
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
    why: 'a text split has a first piece',
  },
  {
    file: 'libs/kit/src/http/network.ts',
    on: /tail === undefined \? \[\]/,
    before: /^tail === undefined$/,
    after: /^false$/,
    why: 'a whole address has its first four groups, whatever is put behind them',
  },
  {
    file: 'libs/identity/src/second-factor/totp.ts',
    on: /let buffered = 0/,
    before: /^0$/,
    why: 'a bit above the first byte, which no letter is made of',
  },
  {
    file: 'libs/identity/src/sessions/cross-site.ts',
    on: /startsWith\('\/panel\/'\)/,
    before: /\?\? false$/,
    why: 'neither true nor false counts as false',
  },
  {
    file: 'services/wallet/server/src/packages/callers/authenticate.ts',
    on: /pair\?\.secretHash \?\? Buffer\.alloc\(32\)/,
    before: /^32$/,
    why: 'without a pair the request is refused, whatever its secret is compared with',
  },
  {
    file: 'services/wallet/server/src/packages/callers/authenticate.ts',
    on: /!customerPackage \|\| !pair/,
    before: /^!customerPackage \|\| !pair$/,
    after: /&&/,
    why: 'an unknown package has no pair, and no secret matches where there is no pair',
  },
  {
    ...sentKeys,
    on: /headers\.authorization !== undefined \|\|/,
    before: /\|\|/,
    after: /^true$/,
    why: 'the headers as they came over the wire tell the same, only slower',
  },
  {
    ...sentKeys,
    on: /inQuery\.length === 0 \?/,
    before: /^inQuery\.length === 0$/,
    after: /^false$/,
    why: 'nothing put in front of a list is that list',
  },
  {
    ...sentKeys,
    on: /\?\? ''/,
    before: /\?\? ''$/,
    why: 'an empty key counts as none, like no key',
  },
  {
    file: 'services/wallet/server/src/packages/callers/authenticate-from-cache.ts',
    on: /randomBytes\(32\)/,
    before: /^32$/,
    why: 'a salt of this process that is one byte longer',
  },
  {
    file: `${ledger}/rules/decide-bet.ts`,
    on: /if \(id === movement\.creditAccount\)/,
    before: /./,
    after: /^true$/,
    why: 'the second leg asks for the two accounts of the first, and for no other',
  },
  {
    file: `${ledger}/engine/apply-batch.ts`,
    on: /if \(seen\) state\.movements\.set/,
    before: /^seen$/,
    after: /^true$/,
    why: 'kept as absent, it is absent until the same order writes it',
  },
  {
    ...recent,
    on: /^const (?:packageAt|kindAt|resultAt|recordBytes) = /,
    before: /^\d$/,
    why: 'a byte between two fields that nobody reads',
  },
  {
    ...recent,
    on: /const wantedSlots = /,
    before: /^[12]$/,
    why: 'an index with more free places',
  },
  {
    ...recent,
    on: /Number\.parseInt\(idHash/,
    before: /^(?:0|8|16)$/,
    why: 'where a search starts; any place does that the id alone decides',
  },
  {
    ...recent,
    on: /\(slot \+ 1\) & mask/,
    before: /^(?:slot \+ 1|1)$/,
    why: 'a search in the other direction or in twos meets a free place just as well',
  },
  {
    file: `${ledger}/rules/chain.ts`,
    on: /Buffer\.alloc\(4096\)/,
    before: /^4096$/,
    why: 'a byte of the scratch area beyond the longest row',
  },
  {
    file: `${ledger}/rules/chain.ts`,
    on: /scratch\.fill\(0, at, at \+ 16\)/,
    before: /^16$/,
    why: 'the byte behind a hash is written after it',
  },
];
