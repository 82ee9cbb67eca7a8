// Descriptions of operations whose route has only a summary.

export const descriptions: Readonly<Record<string, string>> = {
  'GET /api/account/details': 'The profile and balance of the seller. A publishable key cannot read them.',
  'GET /api/items/item':
    'An unknown item, an unpublished item and an item of another account give the same 404.',
  'PUT /account/balance':
    'Sets the balance that `account/details` returns. Every change is in the audit log.',
  'GET /items': 'Lists items in every state, including drafts and withdrawn items.',
  'POST /items':
    'Creates a draft, which is not public until it is published. An `external_id` belongs to one item.',
  'GET /items/{item_id}': 'An item of another account is answered with 404.',
  'PATCH /items/{item_id}':
    'Omitted fields stay unchanged. A published or withdrawn item must keep its name and its media.',
  'POST /items/{item_id}/publish':
    'The item needs a name and its media; `errors` names the missing fields. The price may be 0.',
  'POST /items/{item_id}/withdraw': 'Purchase codes of the item stay valid.',
  'POST /items/{item_id}/versions':
    'The version must be higher than the current stable version. The file is uploaded in another request.',
  'POST /items/{item_id}/versions/{version}/promote':
    'The version keeps its release time and its file. If the version is already stable, nothing changes.',
  'GET /items/{item_id}/versions': 'A version has the field `file` only if a file was uploaded.',
  'GET /purchases': 'Filters by code, buyer, host, item or state. The list contains masked codes.',
  'GET /purchases/{purchase_id}': 'The answer contains the full code, and the buyer if known.',
  'POST /purchases/{purchase_id}/refund':
    'After the refund, validation answers 404 `purchase_refunded`. A refund cannot be undone.',
  'POST /purchases/{purchase_id}/cancel':
    'After the cancellation, validation answers 404 `purchase_cancelled`. A cancellation cannot be undone.',
  'POST /purchases/{purchase_id}/dispute':
    'Validation answers 404 `purchase_disputed` until the dispute is won or the purchase is refunded.',
  'POST /purchases/{purchase_id}/block':
    'While the purchase is blocked, validation answers 404 `purchase_cancelled`, and licences of the code ' +
    'are revoked. The field `state` stays, and the block can be removed. A repeated block changes nothing.',
  'POST /purchases/{purchase_id}/unblock':
    'If the purchase is active, its code is valid again. Without a block, nothing changes.',
  'POST /purchases/{purchase_id}/dispute-won':
    'The purchase code is valid again, unless the seller has blocked the purchase.',
  'POST /purchases/{purchase_id}/support': 'The new end of support must not be before the current one.',
  'POST /purchases/{purchase_id}/download-links':
    'Anyone who has the link can download the file. A link works until it expires, and only while the ' +
    'purchase is active.',
  'GET /pools': 'Lists pools with the numbers of their codes, of all items or of one item.',
  'POST /pools':
    'The new pool has no codes. Its licence type, price, currency and support are the terms of its future ' +
    'purchases.',
  'GET /pools/{pool_id}': 'The answer contains the numbers of codes, but no codes.',
  'PATCH /pools/{pool_id}': 'Omitted fields stay unchanged. The terms of a pool cannot be changed.',
  'POST /buyers/erase':
    'Permanently erases the name and e-mail of a buyer, from all purchases or from one purchase. ' +
    'The purchases and their codes remain.',
  'GET /activation-limits':
    '`set` has the limits that the seller has set, and `in_force` has the limits that apply.',
  'GET /licence-terms':
    '`set` has the terms that the seller has set, and `in_force` has the terms that apply.',
  'GET /signing-keys': 'Only public keys are in the answer. Private keys never leave the service.',
};
