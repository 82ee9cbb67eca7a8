// A baseline: the update_balance route with the service's schemas and a constant answer.
import { currency, serveUpdates } from './facade.ts';

const answer = {
  status: 'success',
  data: {
    player_id: 'player-00001',
    transaction_id: 'bench-00000000-000000001',
    type: 'credit',
    amount: 1.25,
    balance_before: 100_000_000,
    balance: 100_000_001.25,
    currency,
    note: '',
    created_at: '2026-05-04T10:00:00.500Z',
    duplicate: false,
  },
  package_balance: 4_000_000_000_000,
  credit_alert: null,
  request_id: 'req_00000000-0000-0000-0000-000000000000',
};

await serveUpdates((_request, reply) => reply.send(answer));
