// All names in requests: ids that the matrix tries, or the reason why a name is not an id.
import type { Operation } from './operations.ts';

type Reasons = readonly (readonly [reason: string, names: string])[];

export interface TenantNames {
  /** The keys of the things that are tried for a name. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
  /** Names that are not ids of a tenant. */
  readonly plain: Reasons;
  /** Positions of ids that belong to no tenant or are tested elsewhere. */
  readonly places: readonly (readonly [reason: string, path: RegExp, name: string])[];
  /** Operations without an id. */
  readonly nameless: readonly (readonly [reason: string, titles: readonly string[]])[];
}

const idsOf = (same: string, others: Readonly<Record<string, string>>) =>
  new Map<string, readonly string[]>([
    ...same.split(' ').map((name) => [name, [name]] as const),
    ...Object.entries(others).map(([name, things]) => [name, things.split(' ')] as const),
  ]);

export const listReasoned = (reasons: Reasons): string[] =>
  reasons.flatMap(([, names]) => names.split(' '));

const common: Reasons = [
  ["a page's size", 'limit'],
  ['a position in a list of its own tenant; pages are held against it below', 'cursor'],
  ['a time, or a length of time', 'from to since overlap overlap_hours'],
  ['a word from a short list', 'action kind state status role mode outcome currency events'],
  ['shown or kept as it is; nothing is looked up by it', 'name description url category'],
  ['of a person, who may belong to many tenants', 'email password current_password new_password'],
  ['a second factor in a body, a code of an error in a query', 'code'],
  ['a secret link: whoever holds it is let in', 'token'],
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
];

export const licensingNames: TenantNames = {
  ids: idsOf(
    'workspace_id item_id purchase_id purchase_code activation_id machine_id key_id ' +
      'api_key_id person_id invitation_id webhook_id id external_id version search buyer_email ' +
      'buyer_name',
    {
      event_id: 'event_id',
      'x-purchase-code': 'purchase_code',
      'idempotency-key': 'idempotency_key',
    },
  ),
  plain: [
    ...common,
    ['a time, or a length of time', 'updated_since supported_until expires_at date hours'],
    ["a page's number and size", 'page per_page'],
    ['a word from a short list', 'license_type format preset route delimiter'],
    ['a switch', 'dry_run update with_codes legacy_item support_enabled from_page'],
    ['an amount or a number', 'balance price regular extended moves support_months'],
    ['columns of the file that comes along', 'map'],
    ['rights of a key', 'scopes'],
    ['a secret: whoever holds it is let in, and one that is brought is new everywhere', 'api_key'],
    [
      'shown or kept as it is; nothing is looked up by it',
      'domain options avatar cover heading username firstname lastname contact_email ' +
        'social_links buyer notes file_name sub_category demo_link tags media preview_audio ' +
        'preview_image preview_video screenshots thumbnail',
    ],
  ],
  places: [
    ['the next number of an item that is named beside it', /\/(?:items|versions)$/, 'version'],
  ],
  nameless: [
    ["a person's own, or nobody's", people],
    [
      'the tenant is who asks',
      [
        'GET /panel/workspaces',
        'GET /api/account/details',
        'GET /api/items/all',
        'PUT /api/v1/account/balance',
      ],
    ],
    [
      'a secret link: whoever holds it is let in',
      ['GET /downloads/{token}', 'HEAD /downloads/{token}'],
    ],
  ],
};

const panelAndApi = (...titles: readonly string[]) =>
  titles.flatMap((title) => [
    title.replace(' ', ' /admin/v1'),
    title.replace(' ', ' /panel/admin'),
  ]);

export const walletNames: TenantNames = {
  ids: idsOf(
    'package_id player_id transaction_id round_id session_id pair_id person_id invitation_id ' +
      'webhook_id token_id id sequence search',
    {
      event_id: 'event_id round_event state_event',
      reference_transaction_id: 'reference_transaction_id won_bet',
    },
  ),
  plain: [
    ...common,
    ['a position in the journal of who asks; pages are held against it below', 'after'],
    ['a time, or a length of time', 'older_than expires_in_days'],
    ['a word from a short list', 'callback_security fault platform purpose result type source'],
    ['a switch', 'reverse round_finished sandbox shared_launch'],
    ['an amount or a number', 'alert_threshold amount bet_amount overdraft_limit total win_amount'],
    ['of the catalogue, which all packages share', 'game_id provider'],
    [
      'shown or kept as it is; nothing is looked up by it',
      'note reason metadata callback_addresses caller_addresses domains language owner_email return_url',
    ],
  ],
  places: [
    ['administrators see every package', /^\/(?:admin\/v1|panel\/admin)\//, 'package_id'],
    ['administrators see every package', /^\/(?:admin\/v1|panel\/admin)\/packages$/, 'search'],
    ['looks into the catalogue, which all packages share', /\/(?:games|game\/list)$/, 'search'],
    ["an administrator's own: no package's", /^\/panel\/admin\/admin/, '*'],
  ],
  nameless: [
    ["a person's own, or nobody's", people],
    ['the tenant is who asks', ['GET /panel/packages', 'GET /api/v1/package', 'GET /api/v1/feed']],
    [
      'of all packages, for administrators',
      [
        ...panelAndApi(
          'POST /packages',
          'GET /audit-log',
          'GET /proofs',
          'GET /upstream',
          'POST /upstream/catalogue/accept',
          'GET /registrations',
        ),
        'GET /panel/admin/admin-tokens',
        'POST /panel/admin/admin-tokens',
        'GET /panel/admin/administrators',
        'GET /panel/admin/administrator-invitations',
        'POST /panel/admin/administrator-invitations',
      ],
    ],
  ],
};

export const isExcused = ({ places }: TenantNames, { path }: Operation, name: string): boolean =>
  places.some(([, where, each]) => where.test(path) && (each === '*' || each === name));
