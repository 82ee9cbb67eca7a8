// Descriptions of operations whose route has only a summary.

export const descriptions: Readonly<Record<string, string>> = {
  'GET /api/account/details': 'The profile and balance of the seller. A publishable key cannot read it.',
  'GET /api/items/item':
    'An unknown item, an unpublished item and an item of another account give the same 404.',
  'PUT /account/balance':
    'Sets the balance that `account/details` returns. Every change is in the audit log.',
  'GET /items': 'Lists items in every state, including drafts and withdrawn items.',
  'POST /items':
    'Creates a draft, which is not public until it is published. An `external_id` belongs to one item.',
  'GET /items/{item_id}': 'An item of another account is answered with 404.',
  'PATCH /items/{item_id}':
    'Omitted fields stay unchanged. A published or withdrawn item must stay complete.',
  'POST /items/{item_id}/publish':
    'The item needs a name and its media; `errors` names the missing fields. The price may be 0.',
  'POST /items/{item_id}/withdraw': 'Purchase codes of the item stay valid.',
  'POST /items/{item_id}/versions':
    'The version must be higher than the last one. The file is uploaded afterwards.',
  'POST /items/{item_id}/versions/{version}/promote':
    'The version keeps its release time and its file. A version that is stable already stays unchanged.',
  'GET /items/{item_id}/versions': 'Each version has its file if one was uploaded.',
  'GET /purchases': 'Filters by code, buyer, host, item or state. The list contains masked codes.',
  'GET /purchases/{purchase_id}': 'The answer contains the full code, and the buyer if known.',
  'POST /purchases/{purchase_id}/refund':
    'Validation then answers 404 `purchase_refunded`. This cannot be undone.',
  'POST /purchases/{purchase_id}/cancel':
    'Validation then answers 404 `purchase_cancelled`. This cannot be undone.',
  'POST /purchases/{purchase_id}/dispute':
    'Validation answers 404 `purchase_disputed` until the dispute is won or the purchase is refunded.',
  'POST /purchases/{purchase_id}/block':
    'Validation then answers 404 `purchase_cancelled`, and licences of the code are revoked. The state of ' +
    'the purchase stays, and the block can be removed. A blocked purchase stays unchanged.',
  'POST /purchases/{purchase_id}/unblock':
    'The code is valid again if the purchase is active. A purchase that is not blocked stays unchanged.',
  'POST /purchases/{purchase_id}/dispute-won': 'The purchase code is valid again.',
  'POST /purchases/{purchase_id}/support': 'The new end of support must not be before the current one.',
  'POST /purchases/{purchase_id}/download-links':
    'Anyone who has the link can download. It expires, and it ends when the purchase is no longer active.',
  'GET /pools': 'Lists pools with the numbers of their codes, of all items or of one item.',
  'POST /pools':
    'The new pool has no codes. Its licence type, price, currency and support are the terms of the ' +
    'purchases to come.',
  'GET /pools/{pool_id}': 'The answer contains the numbers of codes, but no codes.',
  'PATCH /pools/{pool_id}': 'Omitted fields stay unchanged. The terms of a pool cannot be changed.',
  'POST /buyers/erase':
    'Erases name and e-mail permanently, of a buyer or of one purchase. The sale and its code remain.',
  'GET /activation-limits': 'Includes the limits in force for each licence type.',
  'GET /licence-terms': 'Includes the terms in force.',
  'GET /signing-keys': 'Only public keys are in the answer. Private keys never leave the service.',
};
