// Classifies every documented name in requests: an id that the tenant matrix tries, or a name that is no id.
import type { Operation } from './operations.ts';

type Reasons = readonly (readonly [reason: string, names: string])[];

export interface TenantNames {
  /** For each parameter or field that contains an id, the kinds of objects whose ids are tried in it. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
  /** Parameters and fields that contain no id of a tenant's object, each with the reason. */
  readonly plain: Reasons;
  /**
   * Fields and parameters in which ids of other tenants are not tried. Each entry has the reason, the path of
   * the operation, and the name of the field or parameter.
   */
  readonly positions: readonly (readonly [reason: string, path: RegExp, name: string])[];
  /** Operations that have no id to try, each with the reason. */
  readonly nameless: readonly (readonly [reason: string, titles: readonly string[]])[];
}

const idsOf = (same: string, others: Readonly<Record<string, string>>) =>
  new Map<string, readonly string[]>([
    ...same.split(' ').map((name) => [name, [name]] as const),
    ...Object.entries(others).map(([name, things]) => [name, things.split(' ')] as const),
  ]);

export const listReasoned = (reasons: Reasons): string[] => reasons.flatMap(([, names]) => names.split(' '));

const common: Reasons = [
  ["a page's size", 'limit'],
  ['a position in a list of the tenant; the test of lists tries foreign ones', 'cursor'],
  ['a time, or a length of time', 'from to since overlap overlap_hours'],
  ['a word from a short list', 'action kind state status role mode outcome currency events'],
  ['stored and shown, but never used to look something up', 'name description url category'],
  ["a person's, who may have many tenants", 'email password current_password new_password'],
  ['a second factor in a body, an error code in a query', 'code'],
  ['a secret link that grants access', 'token'],
];

const people = [
  'GET /healthz',
  'GET /readyz',
  'POST /panel/session',
  'DELETE /panel/session',
  'GET /panel/session',
  'GET /panel/sessions',
  'POST /panel/password',
  'POST /panel/second-factor',
  'DELETE /panel/second-factor',
  'POST /panel/second-factor/confirm',
  'POST /panel/links/inspect',
  'POST /panel/links/redeem',
  'POST /panel/password-resets',
];

export const licensingNames: TenantNames = {
  ids: idsOf(
    'workspace_id seller_id item_id purchase_id purchase_code activation_id machine_id key_id ' +
      'api_key_id pool_id person_id invitation_id webhook_id mail_id id external_id version search ' +
      'buyer_email ' +
      'buyer_name host',
    {
      event_id: 'event_id',
      'x-purchase-code': 'purchase_code licence',
      license_key: 'purchase_code',
      instance_id: 'activation_id',
      product_id: 'item_id external_id',
      product_permalink: 'item_id external_id',
      link_id: 'item_id external_id',
      'idempotency-key': 'idempotency_key',
      item: 'item_id',
      workspace: 'workspace_id',
    },
  ),
  plain: [
    ...common,
    ['a time, or a length of time', 'updated_since supported_until expires_at date hours'],
    ["a page's number and size", 'page per_page'],
    [
      'a word from a short list',
      'license_type format preset route delimiter channel updates buyer_support_mail field',
    ],
    ['the random name of an uploaded file, which nobody can guess', 'file'],
    [
      'a switch',
      'increment_uses_count dry_run update with_codes legacy_item support_enabled from_page vendor_clients',
    ],
    [
      'an amount or a number',
      'balance price regular extended moves support_months min_hosts min_failures free low_stock_below',
    ],
    ['a time, or a length of time', 'valid_days grace_days term_months notice_days overlap_days'],
    ['a random text that the signature of the answer covers', 'x-nonce'],
    ['a version of another program', 'requires tested requires_php'],
    ['columns of the imported file', 'map'],
    ['codes that the workspace gets, whether or not another workspace has them', 'codes'],
    ['rights of a key', 'scopes'],
    ['a secret that grants access; an imported one must be new to all tenants', 'api_key publishable_key'],
    [
      'stored and shown, but never used to look something up',
      'domain instance_name options avatar cover heading username firstname lastname contact_email ' +
        'social_links buyer notes file_name sub_category demo_link tags media preview_audio ' +
        'preview_image preview_video screenshots thumbnail',
    ],
  ],
  positions: [
    ['the new version of an item that the request names', /\/(?:items|versions)$/, 'version'],
    ["a workspace's public keys and revocation list are public", /^\/\.well-known\//, 'workspace'],
    ['the versions of a published item are public', /^\/updates\/(?!composer)/, 'item'],
    ['without a code, every repository answers alike', /^\/updates\/composer\//, 'workspace'],
    ['without a code, every archive answers alike', /\/dist\//, 'item'],
    ['without a code, every archive answers alike', /\/dist\//, 'version'],
    [
      'needs the e-mail of the buyer; the tests of the buyer portal try ids of others',
      /^\/panel\/buyers\/(?:links|session)$/,
      '*',
    ],
    ['another name of `product_id`, which is tried', /\/licenses\/verify$/, 'id'],
    ['needs the random name of a file; the tests of media try files of others', /^\/media\//, 'workspace'],
    ['needs a product; the test of vendor clients tries codes of other tenants', /\/verify$/, 'license_key'],
  ],
  nameless: [
    ['belongs to a person or to nobody', people],
    [
      'belongs to a buyer or to nobody',
      [
        'GET /panel/buyers/options',
        'POST /panel/buyers/links/redeem',
        'POST /panel/buyers/unsubscribe',
        'GET /panel/buyers/session',
        'DELETE /panel/buyers/session',
      ],
    ],
    [
      "the tenant is the caller's",
      [
        'GET /panel/workspaces',
        'GET /api/account/details',
        'GET /api/items/all',
        'PUT /api/v1/account/balance',
        'GET /api/v1/signing-keys',
        'POST /api/v1/signing-keys/rotate',
      ],
    ],
    [
      'public by design',
      ['GET /.well-known/jwks/{workspace}.json', 'GET /.well-known/revocations/{workspace}.jwt'],
    ],
    [
      'its `code` is a purchase code, which the test of vendor clients tries across tenants',
      ['GET /v3/market/author/sale', 'GET /vendors/{publishable_key}/v3/market/author/sale'],
    ],
    ['a secret link that grants access', ['GET /downloads/{token}', 'HEAD /downloads/{token}']],
  ],
};

const panelAndApi = (...titles: readonly string[]) =>
  titles.flatMap((title) => [title.replace(' ', ' /admin/v1'), title.replace(' ', ' /panel/admin')]);

export const walletNames: TenantNames = {
  ids: idsOf(
    'package_id player_id transaction_id round_id session_id pair_id connection_id person_id ' +
      'invitation_id webhook_id mail_id token_id id sequence search',
    {
      event_id: 'event_id round_event state_event',
      reference_transaction_id: 'reference_transaction_id won_bet',
    },
  ),
  plain: [
    ...common,
    ["a position in the caller's journal; the test of lists tries foreign ones", 'after'],
    ['a time, or a length of time', 'older_than expires_in_days'],
    [
      'a word from a short list',
      'callback_security dialect fault platform profile purpose purse result type source',
    ],
    ['a switch', 'reverse round_finished sandbox shared_launch'],
    [
      'an amount or a number',
      'alert_threshold amount bet_amount decimals max_stake overdraft_limit total win_amount',
    ],
    ['names an entry of the catalogue, which all packages share', 'game_id provider'],
    [
      'stored and shown, but never used to look something up',
      'note reason metadata callback_addresses caller_addresses currencies domains game_prefix ' +
        'language owner_email return_url secrets upstream_url',
    ],
    [
      'a credential of a connection, which is stored and sealed',
      'recon_token casino_id provider_public_key_pem private_key_pem operator_id sub_partner_id ' +
        'merchant_id merchant_key',
    ],
  ],
  positions: [
    ['administrators see every package', /^\/(?:admin\/v1|panel\/admin)\//, 'package_id'],
    ['administrators see every package', /^\/(?:admin\/v1|panel\/admin)\/packages$/, 'search'],
    ['searches the catalogue, which all packages share', /\/(?:games|game\/list)$/, 'search'],
    ['belongs to an administrator and to no package', /^\/panel\/admin\/admin/, '*'],
    ['administrators see the messages of every package', /^\/panel\/admin\/mail/, '*'],
  ],
  nameless: [
    ['belongs to a person or to nobody', people],
    ["the tenant is the caller's", ['GET /panel/packages', 'GET /api/v1/package', 'GET /api/v1/feed']],
    [
      'administrators see every package',
      [
        ...panelAndApi(
          'POST /packages',
          'GET /audit-log',
          'GET /proofs',
          'GET /upstream',
          'POST /upstream/catalogue/accept',
          'GET /registrations',
        ),
        'GET /panel/admin/mail',
        'GET /panel/admin/admin-tokens',
        'POST /panel/admin/admin-tokens',
        'GET /panel/admin/administrators',
        'GET /panel/admin/administrator-invitations',
        'POST /panel/admin/administrator-invitations',
      ],
    ],
  ],
};

export const isExcused = ({ positions }: TenantNames, { path }: Operation, name: string): boolean =>
  positions.some(([, where, each]) => where.test(path) && (each === '*' || each === name));
