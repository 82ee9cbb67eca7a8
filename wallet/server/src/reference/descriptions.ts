// What operations of the wallet do beyond their summary, where the route's schema does not say.

export const descriptions: Readonly<Record<string, string>> = {
  'GET /api/v1/package': 'Who the three headers are, and how much credit is left to give.',
  'GET /user/balance': 'Reads its own writes: what was answered before is in it.',
  'GET /user/list': 'A page at a time; `next_cursor` is null on the last.',
  'GET /user/transaction':
    'For transfers of `user/update_balance`: the first answer again, with `result` applied or ' +
    'refused. 404 means that nothing was stored under the id, so far.',
  'GET /user/transactions':
    'Of all kinds: transfers, bets, wins, rollbacks. A page at a time; `next_cursor` is null on the last.',
};
