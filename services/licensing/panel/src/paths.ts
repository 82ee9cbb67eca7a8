// The paths of the pages of the licensing panel. The router and the service use this list.
export const paths = {
  dashboard: '/w/$workspace_id',
  items: '/w/$workspace_id/items',
  newItem: '/w/$workspace_id/items/new',
  item: '/w/$workspace_id/items/$item_id',
  purchases: '/w/$workspace_id/purchases',
  importPurchases: '/w/$workspace_id/purchases/import',
  purchase: '/w/$workspace_id/purchases/$purchase_id',
  pools: '/w/$workspace_id/pools',
  pool: '/w/$workspace_id/pools/$pool_id',
  abuse: '/w/$workspace_id/abuse',
  check: '/w/$workspace_id/check',
  requests: '/w/$workspace_id/requests',
  team: '/w/$workspace_id/team',
  audit: '/w/$workspace_id/audit',
  apiKeys: '/w/$workspace_id/settings/api-key',
  licences: '/w/$workspace_id/settings/licences',
  webhooks: '/w/$workspace_id/settings/webhooks',
  webhook: '/w/$workspace_id/settings/webhooks/$endpoint_id',
  mail: '/w/$workspace_id/settings/mail',
  workspace: '/w/$workspace_id/settings/workspace',
} as const;

/** Pages outside the panel, which have their own HTML files: `/buyers` is served from `buyers.html`. */
export const ownPages = { buyers: '/buyers' } as const;
