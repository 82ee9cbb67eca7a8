// How the tables are distributed over the nodes of a Citus cluster. All rows of a package are on one node.
import type { Distribution } from '@counterfoil/kit/postgres/distribution/distribution';

/** Each table comes after the tables that it refers to. */
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
    'provider_connections',
    'deleted_connections',
    'connection_catalogues',
    'provider_nonces',
    'refused_requests',
    'package_keys',
    'package_key_uses',
    'upstream_registrations',
    'ledger_proofs',
    'proofs_under_way',
    'audit_log',
    'callback_log',
    'transfer_log',
    'provider_calls',
    'webhook_heads',
    'webhook_events',
    'webhook_endpoints',
    'webhook_waiting',
    'webhook_deliveries',
    'credit_watches',
    'credit_mails',
  ],
  // Every node has a copy of `packages`. The tables above refer to this table, and requests search it by UID.
  reference: ['packages'],
  local: [
    'schema_migrations',
    'service_facts',
    'people',
    'sessions',
    'memberships',
    'one_time_links',
    // A local table, for two reasons: transactions that change people also write messages, and one query
    // finds the due messages of all tenants.
    'mail_outbox',
    'sign_in_failures',
    // A token gives access to the whole platform; it is found by its hash and belongs to no package.
    'admin_tokens',
    // All packages share one upstream. So there is one catalogue per source, and a catalogue belongs to no
    // package.
    'catalogue_copies',
  ],
};
