// Descriptions of operations whose route has only a summary.

export const descriptions: Readonly<Record<string, string>> = {
  'GET /api/account/details':
    'The seller’s public person and balance. A publishable key may not read it.',
  'GET /api/items/item':
    'An item that is unknown, not published or another account’s is one and the same 404.',
  'PUT /account/balance':
    'The figure that `account/details` tells. Every change stands in the audit log.',
  'GET /items': 'In whatever state; drafts and withdrawn items too.',
  'POST /items': 'Nobody sees it before it is published. An `external_id` is good for one item.',
  'GET /items/{item_id}': 'Of the own account only; any other is 404.',
  'PATCH /items/{item_id}':
    'What is left out stays as it is. A published or withdrawn item must stay complete.',
  'POST /items/{item_id}/publish':
    'It needs a name and its media; `errors` names what is missing. It may be free.',
  'POST /items/{item_id}/withdraw': 'Its purchases go on validating.',
  'POST /items/{item_id}/versions': 'Versions only go up. The file is uploaded afterwards.',
  'GET /items/{item_id}/versions': 'Each with its file, if it has been uploaded.',
  'GET /purchases': 'By code, buyer, item or state; the codes are masked in the list.',
  'GET /purchases/{purchase_id}': 'With its whole code, and the buyer where one is known.',
  'POST /purchases/{purchase_id}/refund':
    'From now on its code is 404 `purchase_refunded`. There is no way back.',
  'POST /purchases/{purchase_id}/cancel':
    'From now on its code is 404 `purchase_cancelled`. There is no way back.',
  'POST /purchases/{purchase_id}/dispute':
    'Until it is won or refunded, its code is 404 `purchase_disputed`.',
  'POST /purchases/{purchase_id}/dispute-won': 'Its code validates again.',
  'POST /purchases/{purchase_id}/support': 'The new end must not be before the one it has.',
  'POST /purchases/{purchase_id}/download-links':
    'Whoever has the link may download; it ends by itself, and with the purchase.',
  'POST /buyers/erase':
    'Name and e-mail are gone for good, the sale and its code remain. By e-mail, or for one purchase.',
  'GET /activation-limits': 'With what counts in the end, for each kind of licence.',
};
