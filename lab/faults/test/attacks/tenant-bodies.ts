// Valid values for all fields of a body except the tried id. Without these values, the service would refuse
// the body before it reads the tried id.

export type Bodies = readonly (readonly [
  path: RegExp,
  body: Readonly<Record<string, unknown>>,
  /** If this name is given, the body is used only for the parameter or the object with this name. */
  only?: string,
])[];

/** A placeholder that is replaced with a new id in every request. */
export const fresh = '@@fresh@@';

/** The bodies of the webhook operations, which both services have. */
const webhookBodies: Bodies = [
  [/\/webhooks$/, { url: 'https://hooks.invalid/', events: ['webhook.none'] }],
  [/\/webhooks\/\{webhook_id\}$/, { description: 'New' }],
  [/\/webhooks\/\{webhook_id\}\/rotate$/, { overlap_hours: 1 }],
  [/\/webhooks\/\{webhook_id\}\/replay$/, {}, 'event_id'],
  [/\/webhooks\/\{webhook_id\}\/replay$/, { event_id: 'evt_1_999999' }],
];

export const licensingBodies: Bodies = [
  ...webhookBodies,
  [/\/members\/\{person_id\}$/, { role: 'member' }],
  [/\/invitations$/, { email: 'new@test.example', role: 'member' }],
  [/\/api-keys$/, { name: 'Made', kind: 'publishable' }],
  [/\/api-keys\/import$/, { name: 'Brought', kind: 'publishable', api_key: 'x'.repeat(40) }],
  [/\/api-keys\/\{key_id\}$/, { name: 'Renamed' }],
  [/\/account\/balance$/, { balance: 1 }],
  [/\/items$/, { name: 'Made', kind: 'image' }],
  [/\/items\/\{item_id\}$/, { name: 'Renamed' }],
  [/\/versions$/, { version: '2.0.0' }],
  [/\/support$/, { supported_until: '2027-01-01T00:00:00Z' }],
  [/\/workspaces\/\{workspace_id\}$/, { name: 'Renamed' }],
  [/\/account$/, { heading: 'New' }],
  [/\/(?:licences|activations(?:\/release)?)$/, {}, 'machine_id'],
  [/\/(?:licences|activations(?:\/release)?)$/, { domain: 'shop.example' }],
  [/\/licenses\/activate$/, { instance_name: 'shop.example' }],
  [/\/purchases$/, { price: 1, currency: 'USD', license_type: 'Regular' }],
  [/\/pools$/, { name: 'Made' }],
  [/\/pools\/\{pool_id\}$/, { name: 'Renamed' }],
  [/\/refill$/, { free: 1 }],
  [/\/pools\/\{pool_id\}\/codes$/, { codes: ['matrix-code'] }],
  [/\/buyers\/.*\/download-links$/, { version: '8.8.8' }],
  [/\/purchases\/\{purchase_id\}$/, { buyer: { name: 'Renamed' } }],
];

export const walletBodies: Bodies = [
  ...webhookBodies,
  [/\/members\/\{person_id\}$/, { role: 'member' }],
  [/\/invitations$/, { email: 'new@test.example', role: 'member' }],
  [/\/packages\/\{package_id\}$/, { alert_threshold: 5 }],
  [/\/key-pairs\/rotate$/, { purpose: 'caller', overlap: '24h' }],
  [/\/top-ups$/, { amount: 1 }],
  [/\/max-stake$/, { max_stake: 5 }],
  [/\/status$/, { status: 'active' }],
  [/\/(?:adjust|update_balance)$/, { type: 'credit', amount: 1 }],
  [/\/callback-test$/, { fault: 'none' }],
  [/\/connections$/, { name: 'Made', dialect: 'valkyrie' }],
  [/\/connections\/\{connection_id\}$/, { name: 'Renamed' }],
  [/\/connections\/\{connection_id\}\/rotate$/, { overlap: '0' }],
  [/\/connections\/\{connection_id\}\/test$/, { player_id: 'matrix' }, 'connection_id'],
  [/\/replay$/, { sequence: 3 }],
  [/\/launch$/, { game_id: 'a' }],
  [/\/callback$/, { action: 'win', amount: 1, transaction_id: fresh }, 'won_bet'],
  [/\/callback$/, { action: 'rollback', transaction_id: fresh }, 'reference_transaction_id'],
  [/\/callback$/, { action: 'bet', amount: 1, transaction_id: 'matrix', game_id: 'a' }],
];

/**
 * Operations for which the tenant's own id gets the same answer as an unknown id, each with the reason. In
 * all other operations the two answers must differ. Equal answers would mean that the service refused the
 * request before it read the id.
 */
export const alike: readonly (readonly [path: RegExp, name: string, reason: string])[] = [
  [/\/purchases$/, 'purchase_code', 'a list for an unknown code is empty, and a sale may use a new code'],
  [/\/purchases$/, 'idempotency-key', 'a repeated sale is answered like a new one'],
  [/\/reissue$/, 'idempotency-key', 'a repeated request is answered like a new one'],
  [/\/items\/\{item_id\}$/, 'external_id', 'the item gets the name, or has it already'],
  [/\/activations$/, 'machine_id', 'a repeated activation is answered like a new one'],
  [/\/activations$/, 'licence', 'the list accepts codes, which are shorter than licences'],
  [/\/licences$/, 'machine_id', 'an active machine gets a licence like a new one'],
  [/./, 'api_key_id', 'the id filters a log that may be empty'],
  [/\/user\/create$|\/players$/, 'player_id', 'an unknown player is created'],
  [
    /\/(?:update_balance|adjust|top-ups|callback)$/,
    'transaction_id',
    'an id that the tenant has not used is applied as new',
  ],
  [/\/(?:callbacks|journal|journal\/totals|journal\.csv|rounds)$/, '*', 'the id filters a list'],
  [/\/callback$/, 'player_id', 'the movement is applied and stores the id'],
  [/\/callback$/, 'round_id', 'the movement is applied and stores the id'],
  [/\/callback$/, 'session_id', 'the movement is applied and stores the id'],
  [/\/(?:usage|requests|purchases)$/, 'item_id', 'the id filters a list'],
  [/\/(?:connections\/\{connection_id\}\/calls|provider-calls)$/, 'transaction_id', 'the id filters a list'],
  [/\/round$/, 'connection_id', 'the round of the test was played without a connection'],
  [/\/connections\/\{connection_id\}\/test$/, 'player_id', 'the test call reports the answer'],
  [/\/callback-test$/, 'player_id', 'the test callback succeeds and reports the answer'],
];
