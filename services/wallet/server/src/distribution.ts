// How the wallet's tables are spread over the nodes of a Citus cluster: each package on one node.
import type { Distribution } from '@counterfoil/kit/postgres/distribution/distribution';

/** In an order in which each table follows those that it refers to. */
export const walletDistribution: Distribution = {
  tenantColumn: 'package_id',
  distributed: [
    'ledger_heads',
    'accounts',
    'journal',
    'journal_notes',
    'bet_states',
    'rounds',
    'players',
    'game_sessions',
    'package_keys',
    'package_key_uses',
    'upstream_registrations',
    'ledger_proofs',
    'proofs_under_way',
    'audit_log',
    'callback_log',
    'transfer_log',
    'webhook_heads',
    'webhook_events',
    'webhook_endpoints',
    'webhook_waiting',
    'webhook_deliveries',
    'credit_watches',
  ],
  // Found by its UID before the tenant is known, and referred to by the tables above.
  reference: ['packages'],
  local: [
    'schema_migrations',
    'service_facts',
    'people',
    'sessions',
    'memberships',
    'one_time_links',
    'sign_in_failures',
    // A token opens the platform as a whole; it is found by its hash and belongs to no package.
    'admin_tokens',
    // There is one upstream for all packages, and so one catalogue per source of it.
    'catalogue_copies',
  ],
};
