// A valid body for every operation with an id in its body; the test replaces the id with a wrong id.
import type { Operation, Schema } from './operations.ts';

/**
 * A body of a request. The test replaces the word `NEW` with an unused id, and each placeholder with a value
 * of the tenant.
 */
type Body = Readonly<Record<string, unknown>>;

export type ValidBodies = readonly (readonly [
  path: RegExp,
  body: Body,
  /** If given, the body is used only for ids in parameters or fields with these names. */
  only?: readonly string[],
])[];

const own = (name: string) => `@@${name}.own@@`;
const ownNumber = (name: string) => `@@${name}.own#@@`;

const player_id = own('player_id');
const transaction_id = 'NEW';
const round = { game_id: 'a', round_id: 'NEW', session_id: own('session_id') };

export const walletValid: ValidBodies = [
  [/\/top-ups$/, { transaction_id, amount: 1 }],
  [/\/(?:players|user\/create)$/, { player_id: 'NEW' }],
  [/\/(?:player|user)\/status$/, { player_id, status: 'active' }],
  [/\/player\/adjust$/, { player_id, type: 'credit', amount: 1, transaction_id, note: 'n' }],
  [/\/player\/max-stake$/, { player_id, max_stake: 5 }],
  [/\/update_balance$/, { player_id, type: 'credit', amount: 1, transaction_id }],
  [/\/callback-test$/, { player_id, fault: 'none' }],
  [/\/connections\/\{connection_id\}\/test$/, { player_id }],
  [/\/callbacks\/replay$/, { sequence: ownNumber('sequence') }],
  [/\/webhooks\/\{webhook_id\}\/replay$/, { event_id: own('event_id') }],
  [/\/launch$/, { player_id, game_id: 'a' }],
  [/\/session\/end$/, { session_id: own('session_id') }],
  [
    /\/game\/callback$/,
    {
      action: 'rollback',
      player_id,
      transaction_id,
      reference_transaction_id: own('reference_transaction_id'),
    },
    ['reference_transaction_id'],
  ],
  [/\/game\/callback$/, { action: 'bet', player_id, transaction_id, amount: 1, ...round }],
];

const purchase_code = own('purchase_code');
const item_id = ownNumber('item_id');
const seller_id = ownNumber('seller_id');
const email = own('buyer_email');
const machine_id = own('machine_id');

export const licensingValid: ValidBodies = [
  [/\/api-keys$/, { name: 'Made', kind: 'publishable', item_id }],
  [/\/api-keys\/import$/, { name: 'M', kind: 'publishable', api_key: `${'x'.repeat(40)}NEW`, item_id }],
  [/\/purchases\/check$/, { purchase_code, item_id }],
  [/\/webhooks\/\{webhook_id\}\/replay$/, { event_id: own('event_id') }],
  [/\/licences$/, { purchase_code, machine_id, item_id }],
  [/\/licence-terms$/, { item_id, valid_days: 30 }],
  [/\/activations$/, { purchase_code, machine_id, item_id }],
  [
    /\/activations\/release$/,
    { purchase_code, activation_id: ownNumber('activation_id') },
    ['activation_id'],
  ],
  [/\/activations\/release$/, { purchase_code, machine_id, item_id }],
  [/\/items$/, { name: 'Made', kind: 'image', external_id: 'NEW' }],
  [/\/items\/\{item_id\}$/, { external_id: 'NEW' }],
  [/\/purchases$/, { item_id, purchase_code: 'NEW', price: 1, currency: 'USD' }],
  [/\/pools$/, { item_id, name: 'NEW' }],
  [/\/buyers\/erase$/, { purchase_id: ownNumber('purchase_id') }],
  [/\/panel\/buyers\/links$/, { email, seller_id }],
  [/\/panel\/buyers\/session$/, { email, purchase_code, seller_id }],
  [/\/activation-limits$/, { item_id, regular: 100 }],
  [/\/purchases\/validation$/, { purchase_code }],
  [/\/licenses\/verify$/, { license_key: purchase_code, product_id: own('item_id') }],
  [/\/licenses\/verify$/, { license_key: purchase_code, link_id: own('item_id') }, ['link_id']],
  [/\/licenses\/(?:validate|deactivate)$/, { license_key: purchase_code, instance_id: own('activation_id') }],
];

const isIdName = (name: string) => /_id$|^purchase_code$|^sequence$/.test(name);

export const listIdNames = (operation: Operation): string[] =>
  Object.keys(schemaOf(operation)?.properties ?? {}).filter(isIdName);

const schemaOf = (operation: Operation): Schema | undefined =>
  operation.requestBody?.content?.['application/json']?.schema;

export function getValidBody(valid: ValidBodies, { path, title }: Operation, name: string): Body {
  const found = valid.find(
    ([end, body, only]) => end.test(path) && (only ? only.includes(name) : name in body),
  );
  if (!found) throw new Error(`${title} accepts ${name}, but valid-bodies.ts has no body with it`);
  return found[1];
}

/** Integers that a double does not represent exactly or that overflow a bigint column. */
const hugeNumbers = ['9007199254740993', '9223372036854775808', '1e21', '1e308', '1e400'];

const wrongForAll = [
  ...['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udfff\\ud800"', '"\\u0007"', '"a\\nb"'],
  ...['"\\u2028"', '"\\u0085"', '1.5', '-1', '0', 'true', '["a"]', '{"a":"b"}'],
  ...hugeNumbers,
];

/** Lists values that the operation must refuse for this id, as JSON texts. */
export function listWrongIds(operation: Operation, name: string): string[] {
  const schema = JSON.stringify(schemaOf(operation)?.properties?.[name]);
  const longest = Number(/"maxLength":(\d+)/.exec(schema)?.[1] ?? 128);
  // Clients of Gumroad may send the product as a number.
  const isNumber = schema.includes('"integer"') || operation.path.endsWith('/licenses/verify');
  return [
    ...wrongForAll,
    ...(isNumber ? [] : ['1']),
    // An empty `external_id` is valid: it removes the stored id. An empty `instance_id` counts as absent.
    ...(name === 'external_id' || name === 'instance_id' ? [] : ['""']),
    `"${'a'.repeat(longest + 1)}"`,
    `"${'😀'.repeat(longest + 1)}"`,
  ];
}

/**
 * Returns the method and the path without its prefix, such as `/panel` or `/api/v1`. The paths of one
 * operation differ only in their prefix, so the returned text is the same for all of them.
 */
export const tailOf = ({ method, path }: Operation): string =>
  `${method} ${path.replace(/^\/(?:admin\/v1|panel\/admin|panel|api\/v1)(?:\/(?:packages|workspaces)\/\{\w+\})?/, '')}`;
