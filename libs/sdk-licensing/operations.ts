// Lists the operations of the licensing service that the client offers, and the names of their types.
import type { Wanted } from '../sdk-shared/write-wire-types.ts';

const item = '/api/v1/items/{item_id}';
const purchase = '/api/v1/purchases/{purchase_id}';

export const wanted: Wanted = {
  service: 'the licensing service',
  operations: {
    'get /api/account/details': 'GetAccount',
    'put /api/v1/account/balance': 'SetBalance',
    'get /api/items/all': 'ListPublishedItems',
    'get /api/items/item': 'GetPublishedItem',
    'post /api/purchases/validation': 'Validate',
    'get /api/v1/items': 'ListItems',
    'post /api/v1/items': 'CreateItem',
    [`get ${item}`]: 'GetItem',
    [`patch ${item}`]: 'EditItem',
    [`post ${item}/publish`]: 'PublishItem',
    [`post ${item}/withdraw`]: 'WithdrawItem',
    [`post ${item}/versions`]: 'AddVersion',
    [`post ${item}/versions/{version}/promote`]: 'PromoteVersion',
    [`get ${item}/versions`]: 'ListVersions',
    [`put ${item}/versions/{version}/file`]: 'UploadFile',
    'get /api/v1/purchases': 'ListPurchases',
    'post /api/v1/purchases': 'IssuePurchase',
    [`get ${purchase}`]: 'GetPurchase',
    [`post ${purchase}/refund`]: 'RefundPurchase',
    [`post ${purchase}/cancel`]: 'CancelPurchase',
    [`post ${purchase}/dispute`]: 'DisputePurchase',
    [`post ${purchase}/dispute-won`]: 'WinDispute',
    [`post ${purchase}/block`]: 'BlockPurchase',
    [`post ${purchase}/unblock`]: 'UnblockPurchase',
    [`post ${purchase}/support`]: 'ExtendSupport',
    [`post ${purchase}/reissue`]: 'ReissuePurchase',
    [`patch ${purchase}`]: 'CorrectBuyer',
    [`post ${purchase}/download-links`]: 'MakeDownloadLink',
    'post /api/v1/buyers/erase': 'EraseBuyer',
    'post /api/v1/activations': 'Activate',
    'post /api/v1/activations/release': 'ReleaseActivation',
    'get /api/v1/activations': 'ListActivations',
    'get /api/v1/activation-limits': 'GetActivationLimits',
    'put /api/v1/activation-limits': 'SetActivationLimits',
    'post /api/v1/licences': 'IssueLicence',
    'get /api/v1/licence-terms': 'GetLicenceTerms',
    'put /api/v1/licence-terms': 'SetLicenceTerms',
    'get /api/v1/signing-keys': 'ListSigningKeys',
    'post /api/v1/signing-keys/rotate': 'RotateSigningKey',
  },
  shapes: {
    PublishedItem: ['get /api/items/item', 'item'],
    ValidPurchase: ['post /api/purchases/validation', 'data', 'purchase'],
    Item: [`get ${item}`, 'data', 'item'],
    ItemVersion: [`get ${item}/versions`, 'data', 'versions', '[]'],
    ListedPurchase: ['get /api/v1/purchases', 'data', 'purchases', '[]'],
    Purchase: [`get ${purchase}`, 'data', 'purchase'],
    Activation: ['post /api/v1/activations', 'data', 'activation'],
    SigningKey: ['get /api/v1/signing-keys', 'data', 'signing_keys', '[]'],
    ListedActivation: ['get /api/v1/activations', 'data', 'activations', '[]'],
  },
  plainNumbers: [],
};

export const leftOut: readonly string[] = [];
