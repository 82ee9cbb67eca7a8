// The errors that each operation of the wallet may answer with.
import { signInReference } from '@counterfoil/identity/reference';
import { mailReference } from '@counterfoil/mail/errors';
import { webhookReference } from '@counterfoil/webhooks/endpoints/errors';
import type { errors } from '../errors.ts';

type Code = keyof typeof errors.table;
type Codes = Readonly<Record<string, readonly Code[]>>;

export const guards: Codes = {
  ...signInReference.guards,
  // The three credential headers are always required together, so their errors are listed only once, under
  // the header `X-UID`.
  uid: [
    'auth_missing',
    'auth_invalid',
    'package_not_approved',
    'insufficient_scope',
    'origin_not_allowed',
    'address_not_allowed',
    'rate_limited',
  ],
  adminToken: ['auth_missing', 'auth_invalid', 'rate_limited'],
};

export const pathErrors: Codes = {
  '{package_id}': ['package_not_found'],
  ' /panel/admin': ['forbidden'],
  ' /panel/packages/{package_id}': ['forbidden'],
  '{person_id}': ['member_not_found'],
  '{invitation_id}': ['invitation_not_found'],
  '{pair_id}': ['key_pair_not_found'],
  '{connection_id}': ['connection_not_found'],
  ...webhookReference.pathErrors,
  // These operations may have changed something when their deadline passes (see `deadlines.ts`).
  'POST /api/v1/': ['outcome_unknown'],
  '{token_id}': ['admin_token_not_found'],
};

const ofMoney = ['invalid_amount', 'transaction_conflict', 'outcome_unknown'] as const;
const ofTransfer = [
  'package_suspended',
  'insufficient_funds',
  'balance_limit',
  'package_credit_exhausted',
] as const;
const ofConnection = ['currency_mismatch', 'upstream_url_refused'] as const;
const ofLaunch = [
  'package_suspended',
  'player_not_found',
  'player_blocked',
  'currency_mismatch',
  'game_not_found',
  'game_unavailable',
  'upstream_unavailable',
] as const;

export const operationErrors: Codes = {
  ...signInReference.operationErrors,
  ...webhookReference.operationErrors,
  ...mailReference.operationErrors,
  'POST /user/create': ['package_suspended', 'currency_mismatch'],
  'GET /user/balance': ['player_not_found'],
  'POST /user/status': ['player_not_found'],
  'POST /user/update_balance': [...ofMoney, 'player_not_found', ...ofTransfer],
  'GET /user/transaction': ['transaction_not_found'],
  'GET /user/transactions': ['player_not_found'],
  'GET /api/v1/game/list': ['upstream_unavailable'],
  'POST /game/launch': ofLaunch,
  'POST /game/session/end': ['session_not_found'],
  'GET /api/v1/round': ['round_not_found', 'player_not_found'],
  'POST /game/callback': [
    ...ofMoney,
    'signature_invalid',
    'timestamp_out_of_range',
    'package_suspended',
    'player_not_found',
    'player_blocked',
    'session_expired',
    'bet_limit',
    'currency_mismatch',
    'reference_required',
    'bet_not_found',
    'bet_rolled_back',
    'bet_refused',
    'bet_already_settled',
    'round_closed',
    'not_a_bet',
    'insufficient_funds',
    'balance_limit',
  ],
  'PATCH /packages/{package_id}': ['forbidden', 'invalid_amount', 'decimals_fixed'],
  'POST /packages': ['invalid_amount'],
  'POST /packages/{package_id}/sandbox': ['sandbox_exists', 'is_sandbox'],
  'POST /packages/{package_id}/approve': ['wrong_package_state'],
  'POST /packages/{package_id}/resume': ['wrong_package_state'],
  'POST /packages/{package_id}/suspend': ['wrong_package_state'],
  'POST /packages/{package_id}/key-pairs/rotate': ['too_many_key_pairs'],
  'POST /packages/{package_id}/key-pairs/{pair_id}/reveal': [
    'key_pair_not_live',
    'secret_not_kept',
    'password_wrong',
    'rate_limited',
  ],
  'POST /packages/{package_id}/aes-key/rotate': ['overlap_running'],
  'POST /packages/{package_id}/aes-key/reveal': ['password_wrong', 'rate_limited'],
  'POST /packages/{package_id}/top-ups': [...ofMoney, 'balance_limit', 'package_credit_exhausted'],
  'POST /packages/{package_id}/players': ['package_not_approved', 'package_suspended'],
  'GET /packages/{package_id}/player': ['player_not_found'],
  'GET /packages/{package_id}/player/proof': ['player_not_found'],
  'GET /packages/{package_id}/player/statement': ['player_not_found'],
  'POST /packages/{package_id}/player/status': ['player_not_found'],
  'POST /packages/{package_id}/player/max-stake': [
    'player_not_found',
    'package_not_approved',
    'invalid_amount',
  ],
  'POST /packages/{package_id}/player/adjust': [
    ...ofMoney,
    'player_not_found',
    'package_not_approved',
    ...ofTransfer,
  ],
  'GET /packages/{package_id}/journal': ['player_not_found'],
  'GET /packages/{package_id}/journal/totals': ['player_not_found'],
  'GET /packages/{package_id}/journal.csv': ['player_not_found'],
  'GET /packages/{package_id}/rounds': ['player_not_found'],
  'GET /packages/{package_id}/round': ['round_not_found', 'player_not_found'],
  'GET /packages/{package_id}/transactions/{transaction_id}': ['transaction_not_found'],
  'POST /packages/{package_id}/connections': [...ofConnection, 'too_many_connections'],
  'PATCH /packages/{package_id}/connections/{connection_id}': ofConnection,
  'POST /packages/{package_id}/connections/{connection_id}/rotate': ['overlap_running'],
  'POST /packages/{package_id}/connections/{connection_id}/test': ['rate_limited'],
  'POST /packages/{package_id}/callback-test': ['key_pair_not_live'],
  'POST /packages/{package_id}/callbacks/replay': [
    'transaction_not_found',
    'no_sandbox',
    'key_pair_not_live',
  ],
  'GET /packages/{package_id}/games': ['upstream_unavailable'],
  'POST /packages/{package_id}/launch': ['package_not_approved', ...ofLaunch],
  'PATCH /members/{person_id}': ['last_owner'],
  'DELETE /members/{person_id}': ['last_owner'],
  'DELETE /administrators/{person_id}': ['last_owner'],
  'POST /invitations': ['already_member', 'too_many_invitations'],
  'POST /administrator-invitations': ['already_member', 'too_many_invitations'],
  'POST /admin-tokens': ['too_many_admin_tokens'],
};
