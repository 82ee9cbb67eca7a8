// Descriptions of operations that need more than the summary in their schema.

export const descriptions: Readonly<Record<string, string>> = {
  'GET /api/v1/package': 'Who the three headers are, and how much credit is left to give.',
  'GET /user/balance': 'Reads its own writes: what was answered before is in it.',
  'GET /user/list': 'A page at a time; `next_cursor` is null on the last.',
  'GET /user/transaction':
    'For transfers of `user/update_balance`: the first answer again, with `result` applied or ' +
    'refused. 404 means that nothing was stored under the id, so far.',
  'GET /user/transactions':
    'Of all kinds: transfers, bets, wins, rollbacks. A page at a time; `next_cursor` is null on the last.',
  // Administration; the panel has the same operations.
  'GET /packages/{package_id}': 'With its settings and credit, without its secrets.',
  'POST /packages': 'With its credentials: the secrets are shown here, and never again.',
  'GET /packages': 'Live ones and sandboxes, unless `sandbox` asks for one sort.',
  'POST /packages/{package_id}/sandbox':
    'A package of its own, with play money and credentials of its own, which are shown here.',
  'POST /packages/{package_id}/approve': 'From now on it may be used; the provider is told of it.',
  'POST /packages/{package_id}/resume': 'Bets, launches and transfers are taken again.',
  'POST /packages/{package_id}/suspend':
    'Bets, launches and transfers are refused; wins, rollbacks and reads are served.',
  'GET /packages/{package_id}/key-pairs': 'Those that have ended too, without secrets.',
  'POST /packages/{package_id}/key-pairs/rotate':
    'The old pair goes on working for the overlap. The new secret is shown here, once.',
  'POST /packages/{package_id}/key-pairs/{pair_id}/revoke': 'Everywhere within five seconds.',
  'POST /packages/{package_id}/aes-key/rotate':
    'The key before it is good until the overlap ends; an answer comes under the key of its request.',
  'GET /packages/{package_id}/top-ups': 'A page at a time, with who did it.',
  'GET /packages/{package_id}/credit': 'At the pace of late; null where credit does not go down.',
  'GET /packages/{package_id}/journal/totals':
    'By kind, and what each side of the ledger has gained and lost: together always zero.',
  'GET /packages/{package_id}/players': 'A page at a time; `next_cursor` is null on the last.',
  'POST /packages/{package_id}/players': 'As `user/create`, noted in the audit log.',
  'GET /packages/{package_id}/player': 'With the balance of now.',
  'GET /packages/{package_id}/player/proof':
    'Every movement added up, beside the balance that is kept.',
  'POST /packages/{package_id}/player/status': 'As `user/status`, noted in the audit log.',
  'GET /packages/{package_id}/player/statement': 'As `user/transactions`.',
  'GET /packages/{package_id}/audit-log': 'A page at a time, newest first.',
  'GET /audit-log': 'A page at a time, newest first.',
  'GET /packages/{package_id}/proof': 'And how far the one under way has come.',
  'POST /packages/{package_id}/proof': 'It runs in the background; ask for it with GET.',
  'GET /proofs': 'A page at a time.',
  'GET /packages/{package_id}/sessions': 'Running and ended ones.',
  'GET /upstream':
    'As this process has seen it: sources, catalogue, lists that are not believed yet.',
  'POST /upstream/catalogue/accept':
    'A list that is empty or has shrunk by half is taken at once, if it is as long as is said here.',
  'GET /packages/{package_id}/registration':
    'Where callbacks go and with which pair; told again after every change.',
  'GET /registrations': 'Those that have not been told yet, with the reason.',
  'GET /packages/{package_id}/members': 'With their roles, and whether they have a second factor.',
  'PATCH /packages/{package_id}/members/{person_id}': 'The last owner must stay.',
  'DELETE /packages/{package_id}/members/{person_id}': 'The last owner must stay.',
  'GET /packages/{package_id}/invitations': 'Links that nobody has used yet, without the links.',
  'POST /packages/{package_id}/invitations':
    'No mail is sent: the answer has the one-time link, good for 24 hours.',
  'DELETE /packages/{package_id}/invitations/{invitation_id}': 'Its link works no more.',
};
