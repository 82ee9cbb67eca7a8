// Generated from the OpenAPI document of the licensing service; CONTRIBUTING.md says how to update it.
import type { Amount } from '../../sdk-shared/src/amount.ts';

/** The amounts, as parent.field: JSON numbers on the wire, decimal strings in the client. */
export const amountFields: ReadonlySet<string> = new Set([
  'data.balance',
  'pool.price',
  'pools.price',
  'price.extended',
  'price.regular',
  'purchase.price',
  'purchases.price',
]);

export interface PublishedItem {
  /** The id, a positive integer. */
  readonly id: number;
  /** The name. */
  readonly name: string;
  /** The seller's description of the item. */
  readonly description: string;
  /** The category. */
  readonly category: string;
  /** The subcategory. */
  readonly sub_category: string;
  /** Options that the seller selected for the item. */
  readonly options: readonly string[];
  /** Dotted x.y.z. */
  readonly version: string;
  /** Address of a demo; empty if there is none. */
  readonly demo_link: string;
  /** Search terms. */
  readonly tags: readonly string[];
  /** Addresses of images, videos and audio files. */
  readonly media: {
    /** Address of the thumbnail. */
    readonly thumbnail: string;
    /** Absent for audio items. */
    readonly preview_image?: string;
    /** Video items only. */
    readonly preview_video?: string;
    /** Audio items only. */
    readonly preview_audio?: string;
    /** Absent if there are none. */
    readonly screenshots?: readonly string[];
  };
  /** The current prices. */
  readonly price: {
    /** For a Regular licence; 0 for a free item. */
    readonly regular: Amount;
    /** For an Extended licence; 0 if none is sold, or the item is free. */
    readonly extended: Amount;
  };
  /** ISO 4217, such as USD. */
  readonly currency: string;
  /** When the item was first published; ISO 8601, UTC. */
  readonly published_at: string;
}

export interface ValidPurchase {
  /** The code that was validated. */
  readonly purchase_code: string;
  /** `Regular` or `Extended`. */
  readonly license_type: 'Regular' | 'Extended';
  /** The price paid at the sale. */
  readonly price: Amount;
  /** ISO 4217, such as USD. */
  readonly currency: string;
  /** The item. */
  readonly item: PublishedItem;
  /** Absent without support; may be in the past. */
  readonly supported_until?: string;
  /** Whether the buyer's first download was completed. */
  readonly downloaded: boolean;
  /** When the purchase was made; ISO 8601, UTC. */
  readonly date: string;
}

export interface Item {
  /** The id, a positive integer. */
  readonly id: number;
  /** The name. */
  readonly name: string;
  /** The seller's description of the item. */
  readonly description: string;
  /** The category. */
  readonly category: string;
  /** The subcategory. */
  readonly sub_category: string;
  /** Options that the seller selected for the item. */
  readonly options: readonly string[];
  /** Dotted x.y.z. */
  readonly version: string;
  /** Address of a demo; empty if there is none. */
  readonly demo_link: string;
  /** Search terms. */
  readonly tags: readonly string[];
  /** Addresses of images, videos and audio files. */
  readonly media: {
    /** Address of the thumbnail. */
    readonly thumbnail: string;
    /** Absent for audio items. */
    readonly preview_image?: string;
    /** Video items only. */
    readonly preview_video?: string;
    /** Audio items only. */
    readonly preview_audio?: string;
    /** Absent if there are none. */
    readonly screenshots?: readonly string[];
  };
  /** The current prices. */
  readonly price: {
    /** For a Regular licence; 0 for a free item. */
    readonly regular: Amount;
    /** For an Extended licence; 0 if none is sold, or the item is free. */
    readonly extended: Amount;
  };
  /** ISO 4217, such as USD. */
  readonly currency: string;
  /** Time of the first publication; "" if there was none. */
  readonly published_at: string;
  /** The id of the item in another system. */
  readonly external_id: string;
  /** The kind: `image`, `video` or `audio` for an item, `secret` or `publishable` for a key. */
  readonly kind: 'image' | 'video' | 'audio';
  /** The current state. The schema lists the values. */
  readonly state: 'draft' | 'published' | 'withdrawn';
  /** The time of creation; ISO 8601, UTC. */
  readonly created_at: string;
  /** When the object was last changed; ISO 8601, UTC. */
  readonly updated_at: string;
  /** Active codes that do not validate until the item is published; 0 afterwards. */
  readonly waiting_codes: number;
}

export interface ItemVersion {
  /** A version number of the form x.y.z. */
  readonly version: string;
  /**
   * WordPress is offered a `beta` only if it asks for the channel `beta`. The plain feed and the
   * Composer repository list all versions.
   */
  readonly channel: 'stable' | 'beta';
  /** The changes in this version. */
  readonly notes: string;
  /** The oldest version of WordPress; "" if not known. */
  readonly requires: string;
  /** The newest tested version of WordPress; "" if not known. */
  readonly tested: string;
  /** The oldest version of PHP; "" if not known. */
  readonly requires_php: string;
  /** The time of creation; ISO 8601, UTC. */
  readonly created_at: string;
  /** The active purchases whose last completed download is this version. */
  readonly buyers?: number;
  /** Absent until a file is uploaded. */
  readonly file?: {
    /** The name under which buyers save the file. */
    readonly name: string;
    /** Size of the file in bytes. */
    readonly bytes: number;
    /** The SHA-256 of the file, in hex. */
    readonly sha256: string;
    /** When the file was uploaded; ISO 8601, UTC. */
    readonly uploaded_at: string;
  };
}

export interface ListedPurchase {
  /** The id, a positive integer. */
  readonly id: number;
  /** The last characters of the code. */
  readonly code_hint: string;
  /** The id of the item. */
  readonly item_id: number;
  /** `Regular` or `Extended`. */
  readonly license_type: 'Regular' | 'Extended';
  /** The price paid at the sale. */
  readonly price: Amount;
  /** ISO 4217, such as USD. */
  readonly currency: string;
  /** The current state. The schema lists the values. */
  readonly state: 'active' | 'refunded' | 'cancelled' | 'disputed';
  /** "" if the purchase is not blocked. The code of a blocked purchase is not valid. */
  readonly blocked_at: string;
  /** "" without support. */
  readonly supported_until: string;
  /** Whether the buyer's first download was completed. */
  readonly downloaded: boolean;
  /** "" before the first completed download. */
  readonly downloaded_at: string;
  /** When the purchase was made; ISO 8601, UTC. */
  readonly date: string;
  /** The buyer, if known. */
  readonly buyer: {
    /** The buyer's name; empty if unknown. */
    readonly name: string;
    /** The buyer's e-mail address; empty if unknown. */
    readonly email: string;
  };
  /** The time of creation; ISO 8601, UTC. */
  readonly created_at: string;
  /** When the object was last changed; ISO 8601, UTC. */
  readonly updated_at: string;
}

export interface Purchase {
  /** The id, a positive integer. */
  readonly id: number;
  /** The last characters of the code. */
  readonly code_hint: string;
  /** The id of the item. */
  readonly item_id: number;
  /** `Regular` or `Extended`. */
  readonly license_type: 'Regular' | 'Extended';
  /** The price paid at the sale. */
  readonly price: Amount;
  /** ISO 4217, such as USD. */
  readonly currency: string;
  /** The current state. The schema lists the values. */
  readonly state: 'active' | 'refunded' | 'cancelled' | 'disputed';
  /** "" if the purchase is not blocked. The code of a blocked purchase is not valid. */
  readonly blocked_at: string;
  /** "" without support. */
  readonly supported_until: string;
  /** Whether the buyer's first download was completed. */
  readonly downloaded: boolean;
  /** "" before the first completed download. */
  readonly downloaded_at: string;
  /** When the purchase was made; ISO 8601, UTC. */
  readonly date: string;
  /** The buyer, if known. */
  readonly buyer: {
    /** The buyer's name; empty if unknown. */
    readonly name: string;
    /** The buyer's e-mail address; empty if unknown. */
    readonly email: string;
  };
  /** The time of creation; ISO 8601, UTC. */
  readonly created_at: string;
  /** When the object was last changed; ISO 8601, UTC. */
  readonly updated_at: string;
  /** The code that the buyer received. */
  readonly purchase_code: string;
}

export interface Pool {
  /** The id, a positive integer. */
  readonly id: number;
  /** The name of the pool. */
  readonly name: string;
  /** The id of the item. */
  readonly item_id: number;
  /** `Regular` or `Extended`. */
  readonly license_type: 'Regular' | 'Extended';
  /** The price of the purchases to come. */
  readonly price: Amount;
  /** ISO 4217, such as USD. */
  readonly currency: string;
  /** Months of support of the purchases to come. Absent if they are those of the workspace. */
  readonly support_months?: number;
  /** The event `pool.low_stock` and a mail are sent when fewer codes are free; 0 means never. */
  readonly low_stock_below: number;
  /** Whether a draw left fewer free codes than `low_stock_below` and none were added since. */
  readonly is_low: boolean;
  /** Codes that a draw can hand out. */
  readonly free: number;
  /** Codes that were handed out. */
  readonly assigned: number;
  /** Codes that were withdrawn and are never handed out. */
  readonly withdrawn: number;
  /** The time of creation; ISO 8601, UTC. */
  readonly created_at: string;
  /** When the object was last changed; ISO 8601, UTC. */
  readonly updated_at: string;
}

export interface Activation {
  /** Stays the same when the same host is activated again. */
  readonly id: number;
  /** The item of the purchase. */
  readonly item_id: number;
  /** Whether `target` is a host or a machine. */
  readonly kind: 'domain' | 'machine';
  /** The normalised host, or the machine id; "" once the buyer was erased. */
  readonly target: string;
  /** False for local, private and staging hosts, which occupy no seat. */
  readonly counts: boolean;
  /** `ended` while the purchase is refunded, cancelled, disputed or blocked. */
  readonly state: 'active' | 'released' | 'ended';
  /** Time of the first activation of this host or machine. */
  readonly created_at: string;
  /** Time of the last call from this host, to the hour. */
  readonly last_seen_at: string;
  /** "" if it was not released. */
  readonly released_at: string;
}

export interface SigningKey {
  /** The id, a positive integer. */
  readonly id: number;
  /** The id in the header of a licence: the RFC 7638 thumbprint. */
  readonly kid: string;
  /**
   * `next` is public and signs later, `current` signs, `retiring` is public during its overlap,
   * `retired` is no longer public.
   */
  readonly state: 'next' | 'current' | 'retiring' | 'retired';
  /** The public key as a JWK. */
  readonly public_jwk: {
    /** The key type of RFC 8037. */
    readonly kty: 'OKP';
    /** The curve. */
    readonly crv: 'Ed25519';
    /** The public key, in base64url. */
    readonly x: string;
    /** The id of the key: its RFC 7638 thumbprint. */
    readonly kid: string;
    /** The key signs. */
    readonly use: 'sig';
    /** The algorithm. */
    readonly alg: 'EdDSA';
  };
  /** The time of creation; ISO 8601, UTC. */
  readonly created_at: string;
  /** When the key begins to sign. */
  readonly signs_from: string;
  /** The end of the overlap; "" if the key was not rotated. */
  readonly published_until: string;
}

export interface ListedActivation {
  /** Stays the same when the same host is activated again. */
  readonly id: number;
  /** The item of the purchase. */
  readonly item_id: number;
  /** Whether `target` is a host or a machine. */
  readonly kind: 'domain' | 'machine';
  /** The normalised host, or the machine id; "" once the buyer was erased. */
  readonly target: string;
  /** False for local, private and staging hosts, which occupy no seat. */
  readonly counts: boolean;
  /** `ended` while the purchase is refunded, cancelled, disputed or blocked. */
  readonly state: 'active' | 'released' | 'ended';
  /** Time of the first activation of this host or machine. */
  readonly created_at: string;
  /** Time of the last call from this host, to the hour. */
  readonly last_seen_at: string;
  /** "" if it was not released. */
  readonly released_at: string;
  /** The purchase that is activated. */
  readonly purchase_id: number;
}

export interface GetAccountAnswer {
  readonly status: 'success';
  readonly data: {
    /** The name. */
    readonly name: {
      /** First name. */
      readonly firstname: string;
      /** Last name. */
      readonly lastname: string;
      /** First and last name. */
      readonly full_name: string;
    };
    /** The user name of the seller. */
    readonly username: string;
    /** The account's e-mail address. */
    readonly email: string;
    /** An exact decimal. */
    readonly balance: Amount;
    /** ISO 4217. */
    readonly currency: string;
    /** The public profile of the seller. */
    readonly profile: {
      /** One line about the seller. */
      readonly heading: string;
      /** A longer text about the seller. */
      readonly description: string;
      /** How to contact the seller. */
      readonly contact: {
        /** The e-mail address. */
        readonly email: string;
      };
      /** Network name → link; the set of names is open. */
      readonly social_links: Readonly<Record<string, string>>;
      /** Pictures of the seller. */
      readonly media: {
        /** Address of the portrait; empty if there is none. */
        readonly avatar: string;
        /** Address of the cover picture; empty if there is none. */
        readonly cover: string;
      };
    };
    /** When the account was created; ISO 8601, UTC. */
    readonly registered_at: string;
  };
}

export interface SetBalanceBody {
  /** A stored amount as an exact decimal; sales and refunds do not change it. */
  readonly balance: Amount;
  /** ISO 4217, such as USD. */
  readonly currency?: string | undefined;
}

export interface SetBalanceAnswer {
  readonly status: 'success';
  readonly data: {
    /** A stored amount as an exact decimal; sales and refunds do not change it. */
    readonly balance: Amount;
    /** ISO 4217, such as USD. */
    readonly currency: string;
  };
  readonly request_id: string;
}

export interface ListPublishedItemsQuery {
  /** The number of the page, starting at 1. */
  readonly page?: number | string | undefined;
  /** At most 100. */
  readonly per_page?: number | string | undefined;
  /** Only items of this category. */
  readonly category?: string | undefined;
  /** Only items that changed at this time or later; ISO 8601. */
  readonly updated_since?: string | undefined;
}

export interface ListPublishedItemsAnswer {
  readonly status: 'success';
  /** The items. */
  readonly items: readonly PublishedItem[];
  /** Present if the request has page, per_page, category or updated_since. */
  readonly meta?: {
    /** The number of matching items. */
    readonly total: number;
    /** The number of the page, starting at 1. */
    readonly page: number;
    /** Number of entries per page. */
    readonly per_page: number;
    /** Number of pages. */
    readonly total_pages: number;
  };
}

export interface GetPublishedItemQuery {
  /** A positive integer. */
  readonly item_id: number | string;
}

export interface GetPublishedItemAnswer {
  readonly status: 'success';
  /** The item. */
  readonly item: PublishedItem;
}

export interface ValidateBody {
  /** Surrounding spaces and letter case do not matter. */
  readonly purchase_code: string;
}

export interface ValidateAnswer {
  readonly status: 'success';
  readonly data: {
    /** The purchase. */
    readonly purchase: ValidPurchase;
  };
}

export interface ListItemsQuery {
  /** From 1 to 100; 50 if not given. */
  readonly limit?: number | string | undefined;
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
  /** A part of the name, or a whole tag. */
  readonly search?: string | undefined;
  /** Only entries in this state. */
  readonly state?: 'draft' | 'published' | 'withdrawn' | undefined;
  /** Only this kind. */
  readonly kind?: 'image' | 'video' | 'audio' | undefined;
}

export interface ListItemsAnswer {
  readonly status: 'success';
  readonly data: {
    /** The items. */
    readonly items: readonly Item[];
    /** Absent on the last page. */
    readonly next_cursor?: string;
  };
  readonly request_id: string;
}

export interface CreateItemBody {
  /** The seller's own id of the item, unique in the workspace. Imports find the item by it. */
  readonly external_id?: string | undefined;
  /** The name. */
  readonly name: string;
  /** The seller's description of the item. */
  readonly description?: string | undefined;
  /** The category. */
  readonly category?: string | undefined;
  /** The subcategory. */
  readonly sub_category?: string | undefined;
  /** Options that the seller selected for the item. */
  readonly options?: readonly string[] | undefined;
  /** An http or https address; "" means none. */
  readonly demo_link?: string | undefined;
  /** Search terms. */
  readonly tags?: readonly string[] | undefined;
  /** Addresses of images, videos and audio files. */
  readonly media?: {
    /** An http or https address; "" means none. */
    readonly thumbnail?: string | undefined;
    /** An http or https address; "" means none. */
    readonly preview_image?: string | undefined;
    /** An http or https address; "" means none. */
    readonly preview_video?: string | undefined;
    /** An http or https address; "" means none. */
    readonly preview_audio?: string | undefined;
    /** Addresses of screenshots. */
    readonly screenshots?: readonly string[] | undefined;
  };
  /** The current prices. */
  readonly price?: {
    /** 0 for a free item. */
    readonly regular?: Amount | undefined;
    /** 0 if no Extended licence is sold. */
    readonly extended?: Amount | undefined;
  };
  /** ISO 4217. */
  readonly currency?: string | undefined;
  /** The kind: `image`, `video` or `audio` for an item, `secret` or `publishable` for a key. */
  readonly kind: 'image' | 'video' | 'audio';
  /** Dotted x.y.z. */
  readonly version?: string | undefined;
}

export interface CreateItemAnswer {
  readonly status: 'success';
  readonly data: {
    /** The item. */
    readonly item: Item;
  };
  readonly request_id: string;
}

export interface GetItemAnswer {
  readonly status: 'success';
  readonly data: {
    /** The item. */
    readonly item: Item;
  };
  readonly request_id: string;
}

export interface EditItemBody {
  /** The seller's own id of the item, unique in the workspace. Imports find the item by it. */
  readonly external_id?: string | undefined;
  /** The name. */
  readonly name?: string | undefined;
  /** The seller's description of the item. */
  readonly description?: string | undefined;
  /** The category. */
  readonly category?: string | undefined;
  /** The subcategory. */
  readonly sub_category?: string | undefined;
  /** Options that the seller selected for the item. */
  readonly options?: readonly string[] | undefined;
  /** An http or https address; "" means none. */
  readonly demo_link?: string | undefined;
  /** Search terms. */
  readonly tags?: readonly string[] | undefined;
  /** Addresses of images, videos and audio files. */
  readonly media?: {
    /** An http or https address; "" means none. */
    readonly thumbnail?: string | undefined;
    /** An http or https address; "" means none. */
    readonly preview_image?: string | undefined;
    /** An http or https address; "" means none. */
    readonly preview_video?: string | undefined;
    /** An http or https address; "" means none. */
    readonly preview_audio?: string | undefined;
    /** Addresses of screenshots. */
    readonly screenshots?: readonly string[] | undefined;
  };
  /** The current prices. */
  readonly price?: {
    /** 0 for a free item. */
    readonly regular?: Amount | undefined;
    /** 0 if no Extended licence is sold. */
    readonly extended?: Amount | undefined;
  };
  /** ISO 4217. */
  readonly currency?: string | undefined;
}

export interface EditItemAnswer {
  readonly status: 'success';
  readonly data: {
    /** The item. */
    readonly item: Item;
  };
  readonly request_id: string;
}

export interface PublishItemAnswer {
  readonly status: 'success';
  readonly data: {
    /** The item. */
    readonly item: Item;
  };
  readonly request_id: string;
}

export interface WithdrawItemAnswer {
  readonly status: 'success';
  readonly data: {
    /** The item. */
    readonly item: Item;
  };
  readonly request_id: string;
}

export interface AddVersionBody {
  /** Dotted x.y.z. */
  readonly version: string;
  /** The changes in this version. */
  readonly notes?: string | undefined;
  /**
   * WordPress is offered a `beta` only if it asks for the channel `beta`. The plain feed and the
   * Composer repository list all versions.
   */
  readonly channel?: 'stable' | 'beta' | undefined;
  /** The oldest version of WordPress; "" if not known. */
  readonly requires?: number | string | undefined;
  /** The newest tested version of WordPress; "" if not known. */
  readonly tested?: number | string | undefined;
  /** The oldest version of PHP; "" if not known. */
  readonly requires_php?: number | string | undefined;
}

export interface AddVersionAnswer {
  readonly status: 'success';
  readonly data: {
    /** The item. */
    readonly item: Item;
  };
  readonly request_id: string;
}

export interface PromoteVersionAnswer {
  readonly status: 'success';
  readonly data: {
    /** The item. */
    readonly item: Item;
  };
  readonly request_id: string;
}

export interface ListVersionsAnswer {
  readonly status: 'success';
  readonly data: {
    /** The versions, newest first. */
    readonly versions: readonly ItemVersion[];
  };
  readonly request_id: string;
}

export interface UploadFileQuery {
  /** The name under which buyers save the file. */
  readonly file_name?: string | undefined;
}

export interface UploadFileAnswer {
  readonly status: 'success';
  readonly data: {
    /** A version number of the form x.y.z. */
    readonly version: ItemVersion;
  };
  readonly request_id: string;
}

export interface UploadMediaAnswer {
  readonly status: 'success';
  readonly data: {
    /** The item. */
    readonly item: Item;
  };
  readonly request_id: string;
}

export interface ListPurchasesQuery {
  /** From 1 to 100; 50 if not given. */
  readonly limit?: number | string | undefined;
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
  /** The whole code. */
  readonly purchase_code?: string | undefined;
  /** Only purchases of this buyer. */
  readonly buyer_email?: string | undefined;
  /** The beginning of the name in upper or lower case. */
  readonly buyer_name?: string | undefined;
  /** A positive integer. */
  readonly item_id?: number | string | undefined;
  /** Only entries in this state. */
  readonly state?: 'active' | 'refunded' | 'cancelled' | 'disputed' | undefined;
  /**
   * A host or a URL. Finds the purchases that are or were activated on exactly this host. Scheme,
   * `www.`, port, path and letter case do not matter.
   */
  readonly host?: string | undefined;
}

export interface ListPurchasesAnswer {
  readonly status: 'success';
  readonly data: {
    /** The purchases. */
    readonly purchases: readonly ListedPurchase[];
    /** Absent on the last page. */
    readonly next_cursor?: string;
  };
  readonly request_id: string;
}

export interface IssuePurchaseBody {
  /** The id of the item. */
  readonly item_id: number | string;
  /** The seller's own code; generated by default. */
  readonly purchase_code?: string | undefined;
  /** `Regular` or `Extended`. */
  readonly license_type?: 'Regular' | 'Extended' | undefined;
  /** The price paid; by default the item's price. */
  readonly price?: Amount | undefined;
  /** ISO 4217, such as USD. */
  readonly currency?: string | undefined;
  /** ISO 8601; without an offset it is UTC. */
  readonly date?: string | undefined;
  /** ISO 8601; "" means no support. By default, support lasts the workspace’s `support_months`. */
  readonly supported_until?: string | undefined;
  /** The buyer, if known. */
  readonly buyer?: {
    /** The buyer's name; empty if unknown. */
    readonly name?: string | undefined;
    /** The buyer's e-mail address; empty if unknown. */
    readonly email?: string | undefined;
  };
}

export interface IssuePurchaseAnswer {
  readonly status: 'success';
  readonly data: {
    /** The purchase. */
    readonly purchase: Purchase;
  };
  readonly request_id: string;
}

export interface GetPurchaseAnswer {
  readonly status: 'success';
  readonly data: {
    /** The purchase. */
    readonly purchase: Purchase;
  };
  readonly request_id: string;
}

export interface RefundPurchaseAnswer {
  readonly status: 'success';
  readonly data: {
    /** The purchase. */
    readonly purchase: Purchase;
  };
  readonly request_id: string;
}

export interface CancelPurchaseAnswer {
  readonly status: 'success';
  readonly data: {
    /** The purchase. */
    readonly purchase: Purchase;
  };
  readonly request_id: string;
}

export interface DisputePurchaseAnswer {
  readonly status: 'success';
  readonly data: {
    /** The purchase. */
    readonly purchase: Purchase;
  };
  readonly request_id: string;
}

export interface WinDisputeAnswer {
  readonly status: 'success';
  readonly data: {
    /** The purchase. */
    readonly purchase: Purchase;
  };
  readonly request_id: string;
}

export interface BlockPurchaseAnswer {
  readonly status: 'success';
  readonly data: {
    /** The purchase. */
    readonly purchase: Purchase;
  };
  readonly request_id: string;
}

export interface UnblockPurchaseAnswer {
  readonly status: 'success';
  readonly data: {
    /** The purchase. */
    readonly purchase: Purchase;
  };
  readonly request_id: string;
}

export interface ExtendSupportBody {
  /** ISO 8601; without an offset it is UTC. */
  readonly supported_until: string;
}

export interface ExtendSupportAnswer {
  readonly status: 'success';
  readonly data: {
    /** The purchase. */
    readonly purchase: Purchase;
  };
  readonly request_id: string;
}

export interface ReissuePurchaseAnswer {
  readonly status: 'success';
  readonly data: {
    /** The purchase. */
    readonly purchase: Purchase;
  };
  readonly request_id: string;
}

export interface CorrectBuyerBody {
  /** The buyer, if known. */
  readonly buyer: {
    /** The buyer's name; empty if unknown. */
    readonly name?: string | undefined;
    /** The buyer's e-mail address; empty if unknown. */
    readonly email?: string | undefined;
  };
}

export interface CorrectBuyerAnswer {
  readonly status: 'success';
  readonly data: {
    /** The purchase. */
    readonly purchase: Purchase;
  };
  readonly request_id: string;
}

export interface MakeDownloadLinkBody {
  /** Dotted x.y.z. */
  readonly version?: string | undefined;
  /** In an answer: the counts by hour. In a request for a link: hours until the link expires. */
  readonly hours?: number | undefined;
}

export interface MakeDownloadLinkAnswer {
  readonly status: 'success';
  readonly data: {
    /** Everybody who has the URL can download the file. Give it to the buyer only. */
    readonly url: string;
    /** The version that the link downloads now. */
    readonly version: string;
    /** The time of expiry; ISO 8601, UTC. */
    readonly expires_at: string;
  };
  readonly request_id: string;
}

export interface ListPoolsQuery {
  /** From 1 to 100; 50 if not given. */
  readonly limit?: number | string | undefined;
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
  /** A positive integer. */
  readonly item_id?: number | string | undefined;
}

export interface ListPoolsAnswer {
  readonly status: 'success';
  readonly data: {
    /** The pools. */
    readonly pools: readonly Pool[];
    /** Absent on the last page. */
    readonly next_cursor?: string;
  };
  readonly request_id: string;
}

export interface CreatePoolBody {
  /** The id of the item. */
  readonly item_id: number | string;
  /** The name of the pool. A workspace has no two pools with the same name. */
  readonly name: string;
  /** `Regular` or `Extended`. */
  readonly license_type?: 'Regular' | 'Extended' | undefined;
  /** The price of the purchases to come; by default the item's price now. */
  readonly price?: Amount | undefined;
  /** ISO 4217, such as USD. */
  readonly currency?: string | undefined;
  /** Months of support of the purchases to come; by default those of the workspace. */
  readonly support_months?: number | undefined;
  /** The event `pool.low_stock` and a mail are sent when fewer codes are free; 0 means never. */
  readonly low_stock_below?: number | undefined;
}

export interface CreatePoolAnswer {
  readonly status: 'success';
  readonly data: {
    /** The pool. */
    readonly pool: Pool;
  };
  readonly request_id: string;
}

export interface GetPoolAnswer {
  readonly status: 'success';
  readonly data: {
    /** The pool. */
    readonly pool: Pool;
  };
  readonly request_id: string;
}

export interface ChangePoolBody {
  /** The name of the pool. A workspace has no two pools with the same name. */
  readonly name?: string | undefined;
  /** The event `pool.low_stock` and a mail are sent when fewer codes are free; 0 means never. */
  readonly low_stock_below?: number | undefined;
}

export interface ChangePoolAnswer {
  readonly status: 'success';
  readonly data: {
    /** The pool. */
    readonly pool: Pool;
  };
  readonly request_id: string;
}

export interface RefillPoolBody {
  /** The number of free codes that the pool has afterwards. */
  readonly free: number;
}

export interface RefillPoolAnswer {
  readonly status: 'success';
  readonly data: {
    /** The pool. */
    readonly pool: Pool;
    /** The number of generated codes. */
    readonly generated: number;
    /** The number of codes that are still missing. */
    readonly missing: number;
  };
  readonly request_id: string;
}

export interface AddPoolCodesBody {
  /** The codes, each with 1 to 128 printable characters. */
  readonly codes: readonly string[];
}

export interface AddPoolCodesAnswer {
  readonly status: 'success';
  readonly data: {
    /** The pool. */
    readonly pool: Pool;
    /** The number of added codes. */
    readonly added: number;
    /** The codes that were not added. */
    readonly refused: readonly {
      /** The position in `codes`, counted from 1. */
      readonly position: number;
      /** The last characters of the code; "" if it is malformed. */
      readonly code_hint: string;
      /**
       * `malformed`: not 1 to 128 printable characters. `repeated`: the same code came earlier in
       * the request. `in_pool`: the code is or was in the pool `pool_name`. `of_purchase`: the code
       * belongs to a purchase. `replaced`: the code belonged to a purchase and was replaced.
       */
      readonly reason: 'malformed' | 'repeated' | 'in_pool' | 'of_purchase' | 'replaced';
      /** The pool that has the code; "" for other reasons. */
      readonly pool_name: string;
    }[];
  };
  readonly request_id: string;
}

export interface DrawCodeBody {
  /** The buyer, if known. */
  readonly buyer?: {
    /** The buyer's name; empty if unknown. */
    readonly name?: string | undefined;
    /** The buyer's e-mail address; empty if unknown. */
    readonly email?: string | undefined;
  };
}

export interface DrawCodeAnswer {
  readonly status: 'success';
  readonly data: {
    /** The purchase. */
    readonly purchase: Purchase;
  };
  readonly request_id: string;
}

export interface WithdrawPoolAnswer {
  readonly status: 'success';
  readonly data: {
    /** The pool. */
    readonly pool: Pool;
    /** The number of withdrawn codes. */
    readonly withdrawn: number;
  };
  readonly request_id: string;
}

export interface EraseBuyerBody {
  /** The e-mail address. */
  readonly email?: string | undefined;
  /** Instead of the e-mail: the buyer of this one purchase. */
  readonly purchase_id?: number | undefined;
}

export interface EraseBuyerAnswer {
  readonly status: 'success';
  readonly data: {
    /** Purchases that had data of the buyer. */
    readonly purchases: number;
  };
  readonly request_id: string;
}

export interface ActivateBody {
  /** Surrounding spaces and letter case do not matter. */
  readonly purchase_code: string;
  /** A host or a URL. Scheme, `www.`, port, path, letter case and a last dot do not matter. */
  readonly domain?: string | undefined;
  /** For software without a domain: the id of its machine, in the exact letter case. */
  readonly machine_id?: string | undefined;
  /** If given, a code of another item is answered with `purchase_not_found`. */
  readonly item_id?: number | undefined;
}

export interface ActivateAnswer {
  readonly status: 'success';
  readonly data: {
    /** The activation. */
    readonly activation: Activation;
    /** False if this host or machine was already active: a reinstallation is free. */
    readonly created: boolean;
    /** The number of seats of this licence; 0 means 10000. */
    readonly limit: number;
    /** Seats in use, including that of this host if it occupies one. */
    readonly used: number;
  };
  readonly request_id: string;
}

export interface ReleaseActivationBody {
  /** Surrounding spaces and letter case do not matter. */
  readonly purchase_code: string;
  /** A host or a URL. Scheme, `www.`, port, path, letter case and a last dot do not matter. */
  readonly domain?: string | undefined;
  /** For software without a domain: the id of its machine, in the exact letter case. */
  readonly machine_id?: string | undefined;
  /** If given, a code of another item is answered with `purchase_not_found`. */
  readonly item_id?: number | undefined;
  /** Instead of the host or machine; takes precedence if both are given. */
  readonly activation_id?: number | undefined;
}

export interface ReleaseActivationAnswer {
  readonly status: 'success';
  readonly data: {
    /** The activation. */
    readonly activation: Activation;
  };
  readonly request_id: string;
}

export interface ListActivationsQuery {
  /** From 1 to 100; 50 if not given. */
  readonly limit?: number | string | undefined;
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
  /** A positive integer. */
  readonly purchase_id?: number | string | undefined;
}

export interface ListActivationsAnswer {
  readonly status: 'success';
  readonly data: {
    /** The activations, newest first. */
    readonly activations: readonly ListedActivation[];
    /** Absent on the last page. */
    readonly next_cursor?: string;
  };
  readonly request_id: string;
}

export interface GetActivationLimitsQuery {
  /** A positive integer. */
  readonly item_id?: number | string | undefined;
}

export interface GetActivationLimitsAnswer {
  readonly status: 'success';
  readonly data: {
    /** Only the limits that are set here; the others come from the workspace. */
    readonly set: {
      /** Hosts at the same time under a Regular licence; 0 means 10000. */
      readonly regular?: number;
      /** Hosts at the same time under an Extended licence; 0 means 10000. */
      readonly extended?: number;
      /** Moves of a purchase to another host within 30 days. */
      readonly moves?: number;
    };
    /**
     * The values that apply: those of the item, otherwise those of the workspace, otherwise the
     * defaults.
     */
    readonly in_force: {
      /** Hosts at the same time under a Regular licence; 0 means 10000. */
      readonly regular: number;
      /** Hosts at the same time under an Extended licence; 0 means 10000. */
      readonly extended: number;
      /** Moves of a purchase to another host within 30 days. */
      readonly moves: number;
    };
  };
  readonly request_id: string;
}

export interface SetActivationLimitsBody {
  /** For one item. */
  readonly item_id?: number | undefined;
  /** Hosts at the same time under a Regular licence; 0 means 10000. */
  readonly regular?: number | undefined;
  /** Hosts at the same time under an Extended licence; 0 means 10000. */
  readonly extended?: number | undefined;
  /** Moves of a purchase to another host within 30 days. */
  readonly moves?: number | undefined;
}

export interface SetActivationLimitsAnswer {
  readonly status: 'success';
  readonly data: {
    /** Only the limits that are set here; the others come from the workspace. */
    readonly set: {
      /** Hosts at the same time under a Regular licence; 0 means 10000. */
      readonly regular?: number;
      /** Hosts at the same time under an Extended licence; 0 means 10000. */
      readonly extended?: number;
      /** Moves of a purchase to another host within 30 days. */
      readonly moves?: number;
    };
    /**
     * The values that apply: those of the item, otherwise those of the workspace, otherwise the
     * defaults.
     */
    readonly in_force: {
      /** Hosts at the same time under a Regular licence; 0 means 10000. */
      readonly regular: number;
      /** Hosts at the same time under an Extended licence; 0 means 10000. */
      readonly extended: number;
      /** Moves of a purchase to another host within 30 days. */
      readonly moves: number;
    };
  };
  readonly request_id: string;
}

export interface IssueLicenceBody {
  /** Surrounding spaces and letter case do not matter. */
  readonly purchase_code: string;
  /** A host or a URL. Scheme, `www.`, port, path, letter case and a last dot do not matter. */
  readonly domain?: string | undefined;
  /** For software without a domain: the id of its machine, in the exact letter case. */
  readonly machine_id?: string | undefined;
  /** If given, a code of another item is answered with `purchase_not_found`. */
  readonly item_id?: number | undefined;
}

export interface IssueLicenceAnswer {
  readonly status: 'success';
  readonly data: {
    /** A compact JWS, signed with Ed25519. Store it on the host. */
    readonly licence: string;
    /** Get a new licence before this time. */
    readonly expires_at: string;
    /** Clients accept the licence until then. */
    readonly grace_until: string;
    /** The address of the public keys that verify the licence. */
    readonly jwks_url: string;
    /** The address of the signed revocation list. */
    readonly revocations_url: string;
  };
  readonly request_id: string;
}

export interface GetLicenceTermsQuery {
  /** A positive integer. */
  readonly item_id?: number | string | undefined;
}

export interface GetLicenceTermsAnswer {
  readonly status: 'success';
  readonly data: {
    /** Only the terms that are set here; the others come from the workspace. */
    readonly set: {
      /** Days for which an offline licence is valid after it was issued. */
      readonly valid_days?: number;
      /** Days for which clients still accept an expired offline licence. */
      readonly grace_days?: number;
      /** The licence ends this many months after the sale; 0 means never. */
      readonly term_months?: number;
      /**
       * `support`: versions that were released before the end of support. `always`: all versions.
       */
      readonly updates?: 'support' | 'always';
    };
    /**
     * The values that apply: those of the item, otherwise those of the workspace, otherwise the
     * defaults.
     */
    readonly in_force: {
      /** Days for which an offline licence is valid after it was issued. */
      readonly valid_days: number;
      /** Days for which clients still accept an expired offline licence. */
      readonly grace_days: number;
      /** The licence ends this many months after the sale; 0 means never. */
      readonly term_months: number;
      /**
       * `support`: versions that were released before the end of support. `always`: all versions.
       */
      readonly updates: 'support' | 'always';
    };
  };
  readonly request_id: string;
}

export interface SetLicenceTermsBody {
  /** For one item. */
  readonly item_id?: number | undefined;
  /** Days for which an offline licence is valid after it was issued. */
  readonly valid_days?: number | undefined;
  /** Days for which clients still accept an expired offline licence. */
  readonly grace_days?: number | undefined;
  /** The licence ends this many months after the sale; 0 means never. */
  readonly term_months?: number | undefined;
  /** `support`: versions that were released before the end of support. `always`: all versions. */
  readonly updates?: 'support' | 'always' | undefined;
}

export interface SetLicenceTermsAnswer {
  readonly status: 'success';
  readonly data: {
    /** Only the terms that are set here; the others come from the workspace. */
    readonly set: {
      /** Days for which an offline licence is valid after it was issued. */
      readonly valid_days?: number;
      /** Days for which clients still accept an expired offline licence. */
      readonly grace_days?: number;
      /** The licence ends this many months after the sale; 0 means never. */
      readonly term_months?: number;
      /**
       * `support`: versions that were released before the end of support. `always`: all versions.
       */
      readonly updates?: 'support' | 'always';
    };
    /**
     * The values that apply: those of the item, otherwise those of the workspace, otherwise the
     * defaults.
     */
    readonly in_force: {
      /** Days for which an offline licence is valid after it was issued. */
      readonly valid_days: number;
      /** Days for which clients still accept an expired offline licence. */
      readonly grace_days: number;
      /** The licence ends this many months after the sale; 0 means never. */
      readonly term_months: number;
      /**
       * `support`: versions that were released before the end of support. `always`: all versions.
       */
      readonly updates: 'support' | 'always';
    };
  };
  readonly request_id: string;
}

export interface ListSigningKeysAnswer {
  readonly status: 'success';
  readonly data: {
    /** The keys that sign licences and answers, newest first. */
    readonly signing_keys: readonly SigningKey[];
    /** The address of the public keys. */
    readonly jwks_url: string;
    /** The address of the signed revocation list. */
    readonly revocations_url: string;
  };
  readonly request_id: string;
}

export interface RotateSigningKeyBody {
  /** Days for which the new key is public before it signs; 0 by default. */
  readonly notice_days?: number | undefined;
  /** Days for which the old key stays public after it signed for the last time; 400 by default. */
  readonly overlap_days?: number | undefined;
}

export interface RotateSigningKeyAnswer {
  readonly status: 'success';
  readonly data: {
    /** The keys that sign licences and answers, newest first. */
    readonly signing_keys: readonly SigningKey[];
    /** The address of the public keys. */
    readonly jwks_url: string;
    /** The address of the signed revocation list. */
    readonly revocations_url: string;
  };
  readonly request_id: string;
}
