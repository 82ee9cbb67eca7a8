// The errors that each operation can answer with.
import { signInReference } from '@counterfoil/identity/reference';
import { mailReference } from '@counterfoil/mail/errors';
import { webhookReference } from '@counterfoil/webhooks/endpoints/errors';
import type { errors } from '../errors.ts';

type Code = keyof typeof errors.table;
type Codes = Readonly<Record<string, readonly Code[]>>;

/** The errors of an API key. A key can be sent in the query, in a header or in the body. */
const ofKeys = [
  'api_key_missing',
  'api_key_invalid',
  'api_key_revoked',
  'api_key_expired',
  'api_key_conflict',
  'insufficient_scope',
  'rate_limited',
] as const satisfies readonly Code[];

export const guards: Codes = { ...signInReference.guards, apiKeyHeader: ofKeys, buyer: ['not_signed_in'] };

export const pathErrors: Codes = {
  '{workspace_id}': ['workspace_not_found', 'forbidden'],
  '{seller_id}': ['workspace_not_found'],
  '{item_id}': ['item_not_found'],
  '{purchase_id}': ['purchase_not_found'],
  '{pool_id}': ['pool_not_found'],
  '{key_id}': ['api_key_not_found'],
  ...webhookReference.pathErrors,
  '{person_id}': ['member_not_found'],
  '{invitation_id}': ['invitation_not_found'],
};

const notValid = [
  'purchase_not_found',
  'purchase_refunded',
  'purchase_cancelled',
  'purchase_disputed',
] as const satisfies readonly Code[];

const ofUpdates = [...notValid, 'rate_limited', 'not_a_seller', 'licence_ended'] as const;
const ofComposer = [
  'purchase_code_missing',
  'purchase_code_invalid',
  'purchase_refunded',
  'purchase_cancelled',
  'purchase_disputed',
  'rate_limited',
  'not_a_seller',
  'licence_ended',
] as const satisfies readonly Code[];

/** The errors of operations that clients of other vendors call with the key in the path. */
const ofVendors = [...ofKeys, 'not_a_seller', 'vendor_client_off'] as const satisfies readonly Code[];

export const operationErrors: Codes = {
  ...signInReference.operationErrors,
  ...webhookReference.operationErrors,
  ...mailReference.operationErrors,
  'GET /api/items/all': ['no_items'],
  'GET /api/items/item': ['item_not_found'],
  'POST /api/purchases/validation': [...notValid, 'not_a_seller'],
  'POST /activations': [
    ...notValid,
    'not_a_seller',
    'activation_limit_reached',
    'activation_moves_exhausted',
  ],
  'POST /activations/release': [...notValid, 'not_a_seller', 'activation_not_found'],
  'POST /activations/{activation_id}/release': ['activation_not_found'],
  'GET /activations': ['purchase_not_found'],
  'GET /activation-limits': ['item_not_found'],
  'PUT /activation-limits': ['item_not_found'],
  'POST /api/v1/licences': [
    ...notValid,
    'not_a_seller',
    'activation_limit_reached',
    'activation_moves_exhausted',
    'licence_ended',
  ],
  'GET /v3/market/author/sale': [...ofVendors, ...notValid, 'licence_ended'],
  'POST /v2/licenses/verify': [...ofVendors, 'purchase_not_found', 'purchase_cancelled', 'licence_ended'],
  'POST /v1/licenses/validate': [...ofVendors, ...notValid, 'licence_ended', 'activation_not_found'],
  'POST /v1/licenses/activate': [
    ...ofVendors,
    ...notValid,
    'licence_ended',
    'activation_limit_reached',
    'activation_moves_exhausted',
  ],
  'POST /v1/licenses/deactivate': [...ofVendors, 'purchase_not_found', 'activation_not_found'],
  'GET /.well-known/jwks/{workspace}.json': ['signing_key_not_found'],
  'GET /.well-known/revocations/{workspace}.jwt': ['signing_key_not_found'],
  'GET /updates/{item}.json': [...ofUpdates, 'item_not_found'],
  'GET /updates/wordpress/{item}': [...ofUpdates, 'item_not_found', 'version_not_found'],
  'GET /updates/composer/{workspace}/packages.json': ofComposer,
  'GET /updates/composer/{workspace}/dist/{item}/{version}.zip': [
    ...ofComposer,
    'version_not_found',
    'range_not_satisfiable',
  ],
  'POST /signing-keys/rotate': ['too_many_signing_keys'],
  'GET /licence-terms': ['item_not_found'],
  'PUT /licence-terms': ['item_not_found'],
  'POST /items': ['external_id_taken'],
  'PATCH /items/{item_id}': ['external_id_taken', 'item_incomplete'],
  'POST /items/{item_id}/publish': ['item_incomplete', 'item_state_conflict'],
  'POST /items/{item_id}/withdraw': ['item_state_conflict'],
  'POST /items/{item_id}/versions': ['version_not_newer'],
  'POST /items/{item_id}/versions/{version}/promote': ['version_not_found'],
  'PUT /items/{item_id}/versions/{version}/file': ['version_not_found', 'malformed_request'],
  'PUT /items/{item_id}/media/{field}': [
    'malformed_request',
    'media_type_refused',
    'media_damaged',
    'media_too_many_pixels',
    'media_field_unused',
    'media_limit_reached',
  ],
  'GET /media/{workspace}/{file}': ['media_not_found', 'range_not_satisfiable'],
  'HEAD /media/{workspace}/{file}': ['media_not_found', 'range_not_satisfiable'],
  'POST /purchases': ['item_not_found', 'item_not_published', 'purchase_code_taken', 'idempotency_conflict'],
  'POST /purchases/{purchase_id}/refund': ['purchase_state_conflict'],
  'POST /purchases/{purchase_id}/cancel': ['purchase_state_conflict'],
  'POST /purchases/{purchase_id}/dispute': ['purchase_state_conflict'],
  'POST /purchases/{purchase_id}/block': ['purchase_state_conflict'],
  'POST /purchases/{purchase_id}/dispute-won': ['purchase_state_conflict'],
  'POST /purchases/{purchase_id}/support': ['purchase_state_conflict'],
  'POST /purchases/{purchase_id}/reissue': ['purchase_state_conflict'],
  'PATCH /purchases/{purchase_id}': ['buyer_erased'],
  'POST /purchases/{purchase_id}/download-links': [
    'purchase_state_conflict',
    'version_not_found',
    'file_missing',
  ],
  'POST /pools': ['item_not_found', 'pool_name_taken', 'too_many_pools'],
  'PATCH /pools/{pool_id}': ['pool_name_taken'],
  'POST /pools/{pool_id}/refill': ['pool_full', 'too_many_withdrawn'],
  'POST /pools/{pool_id}/codes': ['pool_full', 'too_many_withdrawn'],
  'POST /pools/{pool_id}/draw': [
    'pool_empty',
    'item_not_published',
    'purchase_code_taken',
    'idempotency_conflict',
  ],
  'POST /panel/buyers/links': ['mail_off', 'rate_limited'],
  'POST /panel/buyers/links/redeem': ['link_invalid'],
  'POST /panel/buyers/unsubscribe': ['link_invalid'],
  'POST /panel/buyers/session': ['buyer_sign_in_failed', 'rate_limited'],
  'POST /purchases/{purchase_id}/activations/{activation_id}/release': [
    'activation_not_found',
    'rate_limited',
  ],
  'POST /sellers/{seller_id}/purchases/{purchase_id}/reissue': [
    'purchase_state_conflict',
    'reissue_limit_reached',
    'rate_limited',
  ],
  'POST /sellers/{seller_id}/purchases/{purchase_id}/download-links': [
    'purchase_state_conflict',
    'version_not_found',
    'file_missing',
    'not_a_seller',
    'licence_ended',
    'rate_limited',
  ],
  'GET /sellers/{seller_id}/export': ['rate_limited'],
  'POST /purchases/import': ['import_running'],
  'GET /downloads/{token}': ['download_not_found', 'range_not_satisfiable'],
  'HEAD /downloads/{token}': ['download_not_found', 'range_not_satisfiable'],
  'POST /api-keys': ['too_many_api_keys', 'item_not_found'],
  'POST /api-keys/import': ['too_many_api_keys', 'item_not_found', 'api_key_exists', 'rate_limited'],
  'PATCH /api-keys/{key_id}': ['api_key_not_live'],
  'POST /api-keys/{key_id}/rotate': ['api_key_not_live', 'too_many_api_keys'],
  'POST /api-keys/{key_id}/revoke': ['api_key_not_live'],
  'POST /api-keys/{key_id}/reveal': ['password_wrong', 'rate_limited'],
  'PATCH /members/{person_id}': ['last_owner'],
  'DELETE /members/{person_id}': ['last_owner'],
  'POST /invitations': ['already_member', 'too_many_invitations'],
};
