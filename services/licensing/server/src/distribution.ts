// How licensing's tables are spread over the nodes of a Citus cluster: each workspace on one node.
import type { Distribution } from '@counterfoil/kit/postgres/distribution/distribution';

/** In an order in which each table follows those that it refers to. */
export const licensingDistribution: Distribution = {
  tenantColumn: 'workspace_id',
  distributed: [
    'accounts',
    'items',
    'item_versions',
    'purchases',
    'retired_codes',
    'activations',
    'activation_limits',
    'audit_log',
    'api_key_uses',
    'request_log',
    'validation_hours',
    'webhook_heads',
    'webhook_events',
    'webhook_endpoints',
    'webhook_waiting',
    'webhook_deliveries',
  ],
  // A key is found by its hash before its workspace is known; both are joined with tenants' rows.
  reference: ['workspaces', 'api_keys'],
  local: [
    'schema_migrations',
    'service_facts',
    'people',
    'sessions',
    'memberships',
    'one_time_links',
    'sign_in_failures',
  ],
};
