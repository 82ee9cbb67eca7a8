// Every error that the licensing service can answer: code, HTTP status, sentence (specification, section 7).

import { signInErrors } from '@counterfoil/identity/errors';
import { defineErrors, type ErrorEntry, transportErrors } from '@counterfoil/kit/http/errors';
import { mailErrors } from '@counterfoil/mail/errors';
import { webhookErrors } from '@counterfoil/webhooks/endpoints/errors';

const invalidRequest = (status: number, retryable = false): ErrorEntry => ({
  status,
  msg: 'Invalid request',
  retryable,
});

const notFound = (msg: string): ErrorEntry => ({ status: 404, msg, retryable: false });

const conflict = (msg: string): ErrorEntry => ({ status: 409, msg, retryable: false });

const table = {
  ...transportErrors,
  ...signInErrors,
  ...webhookErrors,
  ...mailErrors,
  malformed_request: invalidRequest(400),
  invalid_body: invalidRequest(400),
  invalid_parameter: invalidRequest(400),
  route_not_found: invalidRequest(404),
  method_not_allowed: invalidRequest(405),
  request_timeout: invalidRequest(408, true),
  body_too_large: invalidRequest(413),
  uri_too_long: invalidRequest(414),
  unsupported_media_type: invalidRequest(415),
  expectation_failed: invalidRequest(417),
  headers_too_large: invalidRequest(431),

  api_key_missing: invalidRequest(401),
  api_key_invalid: invalidRequest(401),
  api_key_revoked: invalidRequest(401),
  api_key_expired: invalidRequest(401),
  api_key_conflict: invalidRequest(401),
  purchase_code_missing: invalidRequest(401),
  purchase_code_invalid: { status: 401, msg: 'Invalid purchase code', retryable: false },
  insufficient_scope: invalidRequest(403),
  not_a_seller: invalidRequest(403),
  vendor_client_off: { status: 403, msg: 'Clients of this vendor are switched off', retryable: false },

  workspace_not_found: notFound('There is no such workspace'),
  api_key_not_found: notFound('There is no such API key'),
  api_key_exists: conflict('This key exists already'),
  api_key_not_live: conflict('This key has ended or was replaced'),
  too_many_api_keys: conflict('Revoke a key first: there are too many'),
  too_many_invitations: conflict('Withdraw an invitation first: there are too many'),

  no_items: notFound('No items found'),
  item_not_found: notFound('Item Not Found'),
  purchase_not_found: notFound('Invalid purchase code'),
  purchase_refunded: notFound('Invalid purchase code'),
  purchase_cancelled: notFound('Invalid purchase code'),
  purchase_disputed: notFound('Invalid purchase code'),

  activation_not_found: notFound('There is no such activation'),
  activation_limit_reached: conflict('This licence is in use on as many hosts as it allows'),
  activation_moves_exhausted: conflict('This licence has moved too often lately'),

  buyer_sign_in_failed: { status: 401, msg: 'The e-mail or the purchase code is wrong', retryable: false },
  reissue_limit_reached: conflict('The code of this purchase was replaced too often lately'),

  licence_ended: conflict('The licence of this purchase has ended'),
  signing_key_not_found: notFound('There is no signing key'),
  too_many_signing_keys: conflict('Too many signing keys are public: wait until an overlap has ended'),

  version_not_found: notFound('There is no such version'),
  // Programs get the same answer in three cases: the link is forged, the link has expired, or its purchase is
  // no longer active. The page for browsers says whether the link has expired.
  download_not_found: notFound('This link has expired or never existed'),
  media_not_found: notFound('There is no such file'),
  media_type_refused: { status: 415, msg: 'The file has a type that is not accepted', retryable: false },
  media_damaged: { status: 400, msg: 'The file is incomplete or damaged', retryable: false },
  media_too_many_pixels: { status: 400, msg: 'The image has too many pixels', retryable: false },
  media_field_unused: conflict('Items of this kind do not have this field'),
  media_limit_reached: conflict('There is no room for more media'),
  item_incomplete: conflict('The item lacks a field that a published item needs'),
  item_not_published: conflict('The item was never published'),
  item_state_conflict: conflict("The item's state does not allow this"),
  external_id_taken: conflict('Another item has this external id'),
  version_not_newer: conflict('A version must be newer than the last one'),
  file_missing: conflict('There is no file to download yet'),
  purchase_state_conflict: conflict("The purchase's state does not allow this"),
  purchase_code_taken: conflict('This code belongs to another purchase'),
  pool_not_found: notFound('There is no such pool'),
  pool_empty: conflict('The pool has no free code'),
  pool_full: conflict('The item would have too many free codes'),
  too_many_withdrawn: conflict('The item has too many withdrawn codes'),
  pool_name_taken: conflict('Another pool has this name'),
  too_many_pools: conflict('The workspace has as many pools as it can have'),
  buyer_erased: conflict('The buyer asked to be erased'),
  import_running: conflict('Another import of this workspace is still running'),
  idempotency_conflict: conflict('This Idempotency-Key was used before with other content'),
  range_not_satisfiable: invalidRequest(416),
} as const;

export const errors = defineErrors(table, { challenge: 'Bearer realm="licensing"' });

export const { fail } = errors;
