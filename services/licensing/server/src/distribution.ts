// The distribution of licensing's tables over a Citus cluster: each workspace is on one node.
import type { Distribution } from '@counterfoil/kit/postgres/distribution/distribution';

/** In each list, a table comes after the tables that it references. */
export const licensingDistribution: Distribution = {
  tenantColumn: 'workspace_id',
  distributed: [
    'accounts',
    'items',
    'item_versions',
    'item_media',
    'purchases',
    'retired_codes',
    'code_pools',
    'pool_codes',
    'licence_key_uses',
    'activations',
    'activation_refusals',
    'activation_limits',
    'signing_keys',
    'licence_terms',
    'audit_log',
    'api_key_uses',
    'request_log',
    'validation_hours',
    'refused_codes',
    'webhook_heads',
    'webhook_events',
    'webhook_endpoints',
    'webhook_waiting',
    'webhook_deliveries',
  ],
  // Every node has a copy of these tables. `api_keys` and `item_owners` are read to find the workspace, so
  // they cannot be distributed by workspace. `workspaces` and `api_keys` are also joined with rows of
  // distributed tables.
  reference: ['workspaces', 'api_keys', 'item_owners'],
  local: [
    'schema_migrations',
    'service_facts',
    'people',
    'sessions',
    'memberships',
    'one_time_links',
    // `buyer_tokens` is local, because a buyer may have purchases in several workspaces.
    'buyer_tokens',
    // `mail_outbox` is local for two reasons: transactions that change people also write messages, and one
    // query finds the due messages of all tenants.
    'mail_outbox',
    'sign_in_failures',
  ],
};
