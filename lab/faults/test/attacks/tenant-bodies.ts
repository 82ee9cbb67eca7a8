// The other fields of a body, so that the service evaluates the tried id.

export type Bodies = readonly (readonly [
  path: RegExp,
  body: Readonly<Record<string, unknown>>,
  /** Fields for the id of this name or thing only. */
  only?: string,
])[];

/** Replaced by a new id in every request. */
export const fresh = '@@fresh@@';

/** The same in both services. */
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
  [/\/activations(?:\/release)?$/, {}, 'machine_id'],
  [/\/activations(?:\/release)?$/, { domain: 'shop.example' }],
  [/\/purchases$/, { price: 1, currency: 'USD', license_type: 'Regular' }],
  [/\/purchases\/\{purchase_id\}$/, { buyer: { name: 'Renamed' } }],
];

export const walletBodies: Bodies = [
  ...webhookBodies,
  [/\/members\/\{person_id\}$/, { role: 'member' }],
  [/\/invitations$/, { email: 'new@test.example', role: 'member' }],
  [/\/packages\/\{package_id\}$/, { alert_threshold: 5 }],
  [/\/key-pairs\/rotate$/, { purpose: 'caller', overlap: '24h' }],
  [/\/top-ups$/, { amount: 1 }],
  [/\/status$/, { status: 'active' }],
  [/\/(?:adjust|update_balance)$/, { type: 'credit', amount: 1 }],
  [/\/callback-test$/, { fault: 'none' }],
  [/\/replay$/, { sequence: 3 }],
  [/\/launch$/, { game_id: 'a' }],
  [/\/callback$/, { action: 'win', amount: 1, transaction_id: fresh }, 'won_bet'],
  [/\/callback$/, { action: 'rollback', transaction_id: fresh }, 'reference_transaction_id'],
  [/\/callback$/, { action: 'bet', amount: 1, transaction_id: 'matrix', game_id: 'a' }],
];

/**
 * Where one's own answers like an unknown one, and why that is right. Whatever is not listed must
 * tell the two apart, or the request never came as far as the id.
 */
export const alike: readonly (readonly [path: RegExp, name: string, reason: string])[] = [
  [
    /\/purchases$/,
    'purchase_code',
    'a list by a code that is not there is empty; a new one is made',
  ],
  [/\/purchases$/, 'idempotency-key', 'a sale, made now or before'],
  [/\/items\/\{item_id\}$/, 'external_id', 'a name that the item is given, or has already'],
  [/\/activations$/, 'machine_id', 'activated, now or before'],
  [/./, 'api_key_id', 'a filter of a log that may hold nothing'],
  [/\/user\/create$|\/players$/, 'player_id', 'made where it is not there'],
  [/\/(?:update_balance|adjust|top-ups|callback)$/, 'transaction_id', 'good once, and new here'],
  [/\/(?:callbacks|journal|journal\/totals|journal\.csv|rounds)$/, '*', 'a filter of a list'],
  [/\/callback$/, 'player_id', 'a part of a movement that is made'],
  [/\/callback$/, 'round_id', 'a part of a movement that is made'],
  [/\/callback$/, 'session_id', 'a part of a movement that is made'],
  [/\/(?:usage|requests|purchases)$/, 'item_id', 'a filter of a list'],
  [/\/callback-test$/, 'player_id', 'the trial tells what the callback said'],
];
