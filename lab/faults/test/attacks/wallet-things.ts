// Creates objects of a package whose ids are sequence numbers: movements, rounds and events.
import { topUp } from '@counterfoil/wallet-server/ledger/transfer';
import { journalStream } from '@counterfoil/wallet-server/webhooks/journal-stream';
import type { Given, GivenPackage } from '../../../../services/wallet/server/test/environment/given.ts';
import type { askAs, Things } from './target.ts';

type Ask = ReturnType<typeof askAs>;

/** Adds movements, so that later movements get sequence numbers that the other package does not have. */
export async function makeLead(given: Given, of: GivenPackage, movements: number): Promise<void> {
  const each = { packageId: of.id, overdraftLimit: 0n, type: 'top_up', amount: 100n } as const;
  await Promise.all(
    Array.from({ length: movements }, (_, i) =>
      topUp(given.ledger, { ...each, transactionId: `lead-${i}`, note: '' }),
    ),
  );
}

/**
 * Suspends and resumes the package, and settles a round. Returns the sequence number of the movement of
 * `bet`, and the ids of three events.
 */
export async function makeNumbered(
  given: Given,
  of: GivenPackage,
  asked: {
    asProgram: Ask;
    asAdministrator: Ask;
    bet: Readonly<Record<string, unknown>>;
    number: number;
  },
): Promise<Things> {
  const { asProgram, asAdministrator, bet, number } = asked;
  const prefix = `/panel/admin/packages/${of.id}`;
  await asAdministrator('POST', `${prefix}/suspend`, { reason: 'For a while' });
  await asAdministrator('POST', `${prefix}/resume`);
  await asAdministrator('POST', `${prefix}/sandbox`);
  await given.player(of, { playerId: `spare-a${number}` });
  const round = { player_id: bet.player_id, round_id: `settled-a${number}`, game_id: 'a' };
  const settled = {
    ...round,
    action: 'bet',
    amount: 1,
    transaction_id: `settled-bet-a${number}`,
  };
  // The callback log contains only repeats, refusals and failures, so each bet must be sent twice. `bet` was
  // already sent once, so this loop sends it only once.
  for (const body of [bet, settled, settled]) {
    await asProgram('POST', '/api/v1/game/callback', body);
  }
  await asProgram('POST', '/api/v1/game/callback', { ...round, action: 'end_round' });
  const from = { tenant: BigInt(of.id), after: 0n, limit: 500 };
  const { events } = await journalStream.read(given.db, from);
  const movement = events.find(({ data }) => data.transaction_id === bet.transaction_id);
  const roundEvent = events.find(({ type }) => type === 'round.settled');
  if (!movement || !roundEvent) throw new Error('a movement or a round has no event');
  return {
    sequence: String(movement.position),
    event_id: movement.id,
    round_event: roundEvent.id,
    state_event: `evt_${of.id}_1`,
    reference_transaction_id: String(bet.transaction_id),
    won_bet: String(bet.transaction_id),
    search: String(bet.player_id),
  };
}
