// Cases of one dialect: batches of SoftSwiss, late wins of Hub88, lists of Slotegrator, rounds of Valkyrie.
import type { CertificationCase } from '../certification-case.ts';
import type { SlotegratorSpeaker } from '../speakers/slotegrator.ts';
import type { SoftswissLeg, SoftswissSpeaker } from '../speakers/softswiss.ts';
import type { ValkyrieSpeaker } from '../speakers/valkyrie.ts';
import { asObject } from '../speakers/wire.ts';
import type { Steps } from '../steps.ts';
import { expectBalanceIn, placeBet } from './money.ts';

function createBatch(
  { speaker, caller, newId }: Steps<SoftswissSpeaker>,
  ...legs: Omit<SoftswissLeg, 'id'>[]
) {
  return speaker.batch(
    caller,
    newId(),
    legs.map((leg) => ({ ...leg, id: newId() })),
  );
}

const batchFault = 'The wallet applies a part of a batch';

export const softswissCases: readonly CertificationCase<SoftswissSpeaker>[] = [
  {
    id: 'batch',
    kind: 'batches',
    rule: 'A batch of bets and wins is applied in order and repeated as a whole',
    fault: 'The wallet does not apply a batch correctly',
    run: async (steps) => {
      const { unit } = steps;
      const message = createBatch(
        steps,
        { type: 'bet', amount: unit },
        { type: 'win', amount: unit * 3n },
        { type: 'bet', amount: unit * 2n },
      );
      const first = await steps.accept('a batch of two bets and a win', message, 0n);
      const legs = asObject(first.body)?.transactions;
      const count = Array.isArray(legs) ? legs.length : 0;
      steps.expect(count === 3, 'the answer to a batch of 3', 'list 3 transactions', `it listed ${count}`);
      await steps.repeat('a repeated batch', message, first);
    },
  },
  {
    id: 'atomic-batch',
    kind: 'batches',
    rule: 'A batch whose last bet lacks funds is refused as a whole',
    fault: batchFault,
    stakesAll: true,
    run: async (steps) => {
      const { unit, balance } = steps;
      const large = { type: 'bet', amount: balance() + unit } as const;
      const [bet, win] = [{ type: 'bet', amount: unit } as const, { type: 'win', amount: unit } as const];
      await steps.refuse('a batch whose last bet lacks funds', createBatch(steps, bet, large), 'funds');
      await steps.refuse(
        'a batch that wins before it lacks funds',
        createBatch(steps, win, bet, large),
        'funds',
      );
    },
  },
  {
    id: 'atomic-batch-invalid',
    kind: 'batches',
    rule: 'A batch with an invalid transaction is refused as a whole',
    fault: batchFault,
    run: async (steps) => {
      const bet = { type: 'bet', amount: steps.unit } as const;
      const invalid = { type: 'win', amount: { text: '"-1.00"' } } as const;
      await steps.refuse('a batch with a negative win', createBatch(steps, bet, invalid), 'invalid');
    },
  },
  {
    id: 'batch-order',
    kind: 'batches',
    rule: 'A win in a batch can pay only for bets after the win',
    fault: 'The wallet does not apply the transactions of a batch in their order',
    stakesAll: true,
    run: async (steps) => {
      const { unit, balance } = steps;
      const before = balance();
      const bet = { type: 'bet', amount: before + unit } as const;
      const win = { type: 'win', amount: unit } as const;
      const rest = { type: 'win', amount: before } as const;
      await steps.refuse('a bet above the balance before a win', createBatch(steps, bet, win, rest), 'funds');
      await steps.accept('a win before a bet above the balance', createBatch(steps, win, bet, rest), 0n);
    },
  },
  {
    id: 'rollback-before-win',
    kind: 'tombstones',
    rule: 'A win that arrives after its rollback is refused',
    fault: 'The wallet forgets a rollback that arrives before its win',
    run: async (steps) => {
      const { speaker, caller, newId, unit } = steps;
      const [id, round] = [newId(), newId()];
      const rollback = speaker.rollback(caller, { id: newId(), round, of: id });
      await steps.accept('a rollback of an unknown win', rollback, 0n);
      const win = speaker.win(caller, { id, round, bet: '', amount: unit });
      await steps.refuse('a win that arrives after its rollback', win, 'rolled_back');
    },
  },
  {
    id: 'unknown-rollback-id',
    kind: 'tombstones',
    rule: 'A rollback of an unknown transaction is answered with an empty id',
    fault: 'The wallet answers a rollback of an unknown transaction with an id',
    run: async (steps) => {
      const answer = await steps.accept('a rollback of an unknown bet', placeBet(steps).rollback(), 0n);
      const seen = `it had the id “${answer.id}”`;
      steps.expect(answer.id === '', 'the answer to a rollback of an unknown bet', 'have an empty id', seen);
    },
  },
  {
    id: 'finish',
    kind: 'rounds',
    rule: 'The end of a round is answered with the balance, also if it is repeated',
    fault: 'The wallet does not answer the end of a round correctly',
    run: async (steps) => {
      const message = steps.speaker.finish(steps.caller, steps.newId());
      const first = await steps.accept('the end of a round', message, 0n);
      await steps.repeat('a repeated end of a round', message, first);
    },
  },
];

export const hub88Cases: readonly CertificationCase[] = [
  {
    id: 'late-win',
    kind: 'players',
    rule: 'A win and a rollback are accepted without a running session',
    fault: 'The wallet refuses wins or rollbacks whose session has ended',
    run: async (steps) => {
      const { speaker, newId, unit } = steps;
      const late = { ...steps.caller, session: newId() };
      const [won, returned] = [placeBet(steps), placeBet(steps)];
      for (const bet of [won, returned]) await steps.accept(bet.what, bet.message, -unit);
      const win = { id: newId(), round: won.round, bet: won.id, amount: unit };
      await steps.accept('a win without a running session', speaker.win(late, win), unit);
      const rollback = { id: newId(), round: returned.round, of: returned.id };
      await steps.accept('a rollback without a running session', speaker.rollback(late, rollback), unit);
    },
  },
  {
    id: 'repeated-transaction',
    kind: 'repeats',
    rule: 'A transaction with a new request_uuid is a repeat of its first request',
    fault: 'The wallet recognises repeats by their request_uuid instead of their transaction_uuid',
    run: async (steps) => {
      const { speaker, caller, unit } = steps;
      const bet = placeBet(steps);
      await steps.accept(bet.what, bet.message, -unit);
      // `speaker.bet` builds a new message with a new request_uuid. This message gets the transaction_uuid of
      // the first bet.
      const again = speaker.bet(caller, { id: bet.id, round: bet.round, amount: unit });
      await steps.accept('a repeated bet with a new request_uuid', again, 0n);
      await steps.accept('a win', bet.win(), unit);
    },
  },
];

export const slotegratorCases: readonly CertificationCase<SlotegratorSpeaker>[] = [
  {
    id: 'rollback-list',
    kind: 'batches',
    rule: 'A rollback of a bet and a win undoes both with one request',
    fault: 'The wallet does not undo all transactions of a rollback',
    run: async (steps) => {
      const { speaker, caller, newId, unit } = steps;
      const bet = placeBet(steps);
      await steps.accept(bet.what, bet.message, -unit);
      const [id, { round }] = [newId(), bet];
      const win = speaker.win(caller, { id, round, bet: bet.id, amount: unit * 3n });
      await steps.accept('a win', win, unit * 3n);
      const entries = [
        ['bet', bet.id],
        ['win', id],
      ] as const;
      const message = speaker.rollbackList(caller, { id: newId(), round, entries });
      const first = await steps.accept('a rollback of a bet and a win', message, unit * -2n);
      await steps.repeat('a repeated rollback of a bet and a win', message, first);
    },
  },
  {
    id: 'atomic-rollback-list',
    kind: 'batches',
    rule: 'A rollback with an invalid entry is refused as a whole',
    fault: 'The wallet applies a part of a rollback',
    run: async (steps) => {
      const bet = placeBet(steps);
      await steps.accept(bet.what, bet.message, -bet.amount);
      const entries = [
        ['bet', bet.id],
        ['win', ''],
      ] as const;
      const message = steps.speaker.rollbackList(steps.caller, {
        id: steps.newId(),
        round: bet.round,
        entries,
      });
      await steps.refuse('a rollback with an entry without an id', message, 'invalid');
      await steps.accept('a win', bet.win(), bet.amount);
    },
  },
];

export const valkyrieCases: readonly CertificationCase<ValkyrieSpeaker>[] = [
  {
    id: 'session',
    kind: 'players',
    rule: "A request for the session is answered with the player's id",
    fault: 'The wallet does not answer a request for the session correctly',
    run: async ({ speaker, caller, send, expect }) => {
      const { body } = await send(speaker.readSession(caller));
      const playerId = asObject(asObject(body)?.session)?.playerId;
      const isRight = playerId === caller.playerId;
      expect(isRight, 'the session', `have the player ${caller.playerId}`, `it had ${String(playerId)}`);
    },
  },
  {
    id: 'closed-round',
    kind: 'order',
    rule: 'A deposit in a round that is over is refused as settled',
    fault: 'The wallet pays deposits in a round that is over',
    run: async (steps) => {
      const { speaker, caller, newId, unit } = steps;
      const bet = placeBet(steps);
      await steps.accept(bet.what, bet.message, -unit);
      const [{ round }, other] = [bet, newId()];
      await steps.accept('a second bet', speaker.bet(caller, { id: other, round, amount: unit }), -unit);
      const more = { isGameOver: true };
      const last = speaker.win(caller, { id: newId(), round, bet: bet.id, amount: unit * 2n, more });
      await steps.accept('the last deposit of a round', last, unit * 2n);
      const late = speaker.win(caller, { id: newId(), round, bet: other, amount: unit });
      await steps.refuse('a deposit after the end of the round', late, 'settled');
    },
  },
  {
    id: 'cancel-of-settled-bet',
    kind: 'order',
    rule: 'A cancel of a withdrawal that has a deposit is refused as settled',
    fault: 'The wallet cancels a settled withdrawal',
    run: async (steps) => {
      const bet = placeBet(steps);
      await steps.accept(bet.what, bet.message, -bet.amount);
      await steps.accept('its deposit', bet.win(), bet.amount);
      await steps.refuse('a cancel of the withdrawal', bet.rollback(), 'settled');
    },
  },
  {
    id: 'transaction-lookup',
    kind: 'rounds',
    rule: 'A transaction is found by its id, and an unknown one is not found',
    fault: 'The wallet does not find transactions correctly',
    run: async (steps) => {
      const { speaker, caller, newId, unit, send, expect } = steps;
      const bet = placeBet(steps);
      await steps.accept(bet.what, bet.message, -unit);
      await steps.accept('its deposit', bet.win(), unit);
      const found = await send(speaker.findTransaction(caller, bet.id));
      const { transactions } = asObject(found.body) ?? {};
      const isFound = found.accepted && Array.isArray(transactions) && transactions.length > 0;
      expect(isFound, 'a withdrawal', 'be found by its id', 'it was not found');
      await steps.refuse('an unknown id', speaker.findTransaction(caller, newId()), 'unknown_bet');
    },
  },
  {
    id: 'atomic-purses',
    kind: 'batches',
    rule: 'A withdrawal of cash and promo money that lacks promo money takes no cash',
    fault: 'The wallet applies a part of a withdrawal',
    run: async (steps) => {
      const { speaker, caller, newId, unit } = steps;
      const { body } = await steps.send(speaker.balance(caller));
      const promo = Number(asObject(asObject(body)?.balance)?.promoAmount ?? 0);
      const more = { promoAmount: Math.floor(promo) + 1 };
      const bet = speaker.bet(caller, { id: newId(), round: newId(), amount: unit, more });
      const what = 'a withdrawal that lacks promo money';
      expectBalanceIn(
        steps,
        await steps.refuse(what, bet, 'promo_funds'),
        'promo_funds',
        `the refusal of ${what}`,
      );
    },
  },
];
