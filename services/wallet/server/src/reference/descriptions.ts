// Descriptions of operations that need more than the summary in their schema.

const paged = 'Returns one page; `next_cursor` is null on the last page.';
const lastOwner = 'The last owner cannot be removed or become a member.';

export const descriptions: Readonly<Record<string, string>> = {
  'GET /api/v1/package': 'Returns the package that the three credential headers name, with its credit.',
  'GET /user/balance': 'Every movement that was answered before the request is included.',
  'GET /user/list': paged,
  'GET /user/transaction':
    'Finds a transfer of `user/update_balance`. `result` shows whether the transfer was applied or ' +
    'refused. 404 means that no transfer is stored under this transaction id.',
  'GET /user/transactions': `Includes transfers, bets, wins and rollbacks. ${paged}`,
  // Operations of administrators below /admin/v1. The panel has the same operations.
  'GET /packages/{package_id}': 'Returns settings and credit, without secrets.',
  'POST /packages':
    'Returns the credentials of the package. The secret of the caller pair is shown only here.',
  'GET /packages': 'Lists live packages and sandboxes, or only one of the two kinds if `sandbox` is given.',
  'POST /packages/{package_id}/sandbox':
    'Creates a separate package with play money. The secret of its caller pair is shown only here.',
  'POST /packages/{package_id}/approve':
    'The package can be used from now on, and is registered at the provider.',
  'POST /packages/{package_id}/resume': 'Bets, launches, transfers and new players are accepted again.',
  'POST /packages/{package_id}/suspend':
    'Bets, launches, transfers and new players are refused; wins, rollbacks and reads are served.',
  'GET /packages/{package_id}/key-pairs': 'Includes expired and revoked pairs. Secrets are left out.',
  'POST /packages/{package_id}/key-pairs/rotate':
    'The old pair stays valid until the overlap ends. The secret of a new caller pair is shown only here.',
  'POST /packages/{package_id}/key-pairs/{pair_id}/revoke':
    'The pair is refused by all processes within 5 seconds.',
  'POST /packages/{package_id}/aes-key/rotate':
    'The old key stays valid until the overlap ends. An answer is encrypted with the key of its request.',
  'GET /packages/{package_id}/connections': 'Lists the connections, oldest first, without credentials.',
  'POST /packages/{package_id}/connections':
    'Returns the address to give to the provider, and the credentials, which are shown only here.',
  'PATCH /packages/{package_id}/connections/{connection_id}':
    'Changes the fields that are sent. A pause takes effect in all processes within 5 seconds.',
  'POST /packages/{package_id}/connections/{connection_id}/rotate':
    'The old credentials stay valid until the overlap ends. The new credentials are shown only here.',
  'DELETE /packages/{package_id}/connections/{connection_id}':
    'Later calls are answered like calls to an address that never existed. Movements stay.',
  'GET /packages/{package_id}/top-ups': paged,
  'GET /packages/{package_id}/credit':
    'Estimates the runway from the recent spending rate. The runway is null if the credit does not ' +
    'decrease, or if it would last for more than a year.',
  'GET /packages/{package_id}/journal/totals':
    'Returns the totals by kind of movement, and the change of each side of the ledger. All changes ' +
    'together add up to zero.',
  'GET /packages/{package_id}/players': paged,
  'POST /packages/{package_id}/players': 'Like `user/create`, with an entry in the audit log.',
  'GET /packages/{package_id}/player': 'Includes the current balance.',
  'GET /packages/{package_id}/player/proof':
    'Adds up the movements of the player, at most the newest 100,000, and compares the result with the ' +
    'stored balance.',
  'POST /packages/{package_id}/player/max-stake':
    "Bets above the player's or the package's limit, whichever is smaller, are refused with `bet_limit`.",
  'POST /packages/{package_id}/player/status': 'Like `user/status`, with an entry in the audit log.',
  'GET /packages/{package_id}/player/statement': 'Like `user/transactions`.',
  'GET /packages/{package_id}/audit-log': `Lists the newest entries first. ${paged}`,
  'GET /audit-log': `Lists the newest entries first. ${paged}`,
  'GET /packages/{package_id}/proof': 'Includes the progress of a running proof.',
  'POST /packages/{package_id}/proof': 'The proof runs in the background; read its result with GET.',
  'GET /proofs': paged,
  'GET /packages/{package_id}/sessions': 'Includes running and ended sessions.',
  'GET /packages/{package_id}/game-sources':
    'Returns the connections from which games are requested, each with its state as known to the process ' +
    'that answers this request. ' +
    'Connections that are paused or have no upstream address are left out.',
  'GET /upstream':
    'Returns the state as known to the process that answers this request: the sources, the catalogue, and ' +
    'the lists that are not accepted yet.',
  'POST /upstream/catalogue/accept':
    'By default, a list is not accepted at once if it is empty or has lost half of its games or more. ' +
    'After this call, such a list is accepted at once if it has at least `total` games.',
  'GET /packages/{package_id}/registration':
    'The callback address and the callback pair are sent to the provider after every change.',
  'GET /registrations': 'Lists packages whose registration is pending, with the last error.',
  'GET /packages/{package_id}/members':
    'Includes the role of each member, and whether the member has a second factor.',
  'PATCH /packages/{package_id}/members/{person_id}': lastOwner,
  'DELETE /packages/{package_id}/members/{person_id}': lastOwner,
  'GET /packages/{package_id}/invitations': 'Lists unused invitations, without their links.',
  'POST /packages/{package_id}/invitations':
    'The answer has the one-time link, which is valid for 24 hours. `mail` shows whether the link is also ' +
    'sent by mail.',
  'DELETE /packages/{package_id}/invitations/{invitation_id}':
    'After this call, the link of the invitation is not valid any more.',
};
