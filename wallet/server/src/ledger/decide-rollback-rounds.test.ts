// What a rollback does to rounds: its bet leaves one total, and nothing else is touched.
import { expect, it } from 'vitest';
import { createBooks } from '../../test/books.ts';
import { ann, betOf, rollbackOf, winOf } from '../../test/commands.ts';
import { decide } from './decide.ts';
import { createAssumed } from './game-memory.ts';
import { maxBalance } from './movement.ts';
import { createState } from './state.ts';

type Books = ReturnType<typeof createBooks>;

const totalsOf = (books: Books, command: Parameters<Books['tell']>[0]) =>
  (books.tell(command).decision.rounds ?? []).map((round) => [round.id, round.betTotal]);

it.each([1n, 2n])('a bet of %s leaves the total of its round', (amount) => {
  const books = createBooks({ ann: 10n });
  books.tell(betOf({ id: 'b', amount, round: 'r' }));
  expect(totalsOf(books, rollbackOf({ id: 'x', of: 'b' }))).toEqual([['r', 0n]]);
});

it('a rollback that finds no room leaves the total, whichever round it names', () => {
  const books = createBooks({ ann: maxBalance });
  books.tellAll(betOf({ id: 'b', amount: 5n, round: 'r' }), winOf({ id: 'w', amount: 5n }));
  expect(totalsOf(books, rollbackOf({ id: 'x', of: 'b', round: 'r' }))).toEqual([['r', 5n]]);
  expect(totalsOf(books, rollbackOf({ id: 'y', of: 'b', round: 's' }))).toEqual([['s', 0n]]);
  expect(totalsOf(books, rollbackOf({ id: 'z', of: 'b' }))).toEqual([]);
});

it("a rollback that takes nothing leaves its bet's round alone", () => {
  const books = createBooks({ ann: 10n });
  books.tell(betOf({ id: 'zero', amount: 0n, round: 'r' }));
  expect(totalsOf(books, rollbackOf({ id: 'x', of: 'zero' }))).toEqual([]);
  expect(totalsOf(books, rollbackOf({ id: 'y', of: 'zero', round: 's' }))).toEqual([['s', 0n]]);
});

/** A process that remembers the bet and nothing else. */
function tellAlone(round: string | undefined) {
  const bet = betOf({ id: 'b', amount: 5n, ...(round && { round }) });
  const { decision } = createBooks({ ann: 10n }).tell(bet);
  const state = createState({
    packageId: 7,
    overdraftLimit: 0n,
    sequence: 3n,
    nowMs: 1,
    accounts: [[ann, { balance: 5n, lastSequence: 3n }]],
  });
  for (const movement of decision.movements) state.movements.set(movement.idHash, movement);
  state.assumed = createAssumed();
  const { outcome, rounds } = decide(state, rollbackOf({ id: 'x', of: 'b' }));
  const result = 'movement' in outcome ? outcome.movement.result : outcome.kind;
  return { result, rounds, asked: state.assumed.rounds.size };
}

it('a round that is not known is taken for open, which the write has to prove', () => {
  expect(tellAlone('r')).toEqual({ result: 'rolled_back', rounds: [], asked: 1 });
});

it('a bet without a round asks for none', () => {
  expect(tellAlone(undefined)).toEqual({ result: 'rolled_back', rounds: [], asked: 0 });
});
