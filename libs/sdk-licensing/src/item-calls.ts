// The calls that manage items: drafts, publication, versions, files.
import type { CallOptions, Send } from '../../sdk-shared/src/call.ts';
import { createCalls, type Id, step } from './managed-calls.ts';
import type * as wire from './wire.ts';

const items = '/api/v1/items';
const at = (itemId: Id) => `${items}/${step(itemId)}`;

/**
 * A change of an item is not retried if its outcome is unknown. Read the item to find out whether the change
 * was applied.
 */
export function createItemCalls(send: Send) {
  const { read, write } = createCalls(send);
  const change = <Answer>(path: string, json?: object, options?: CallOptions) =>
    write<Answer>(['POST', path, 'once'], json, options);
  return {
    listItems: (query: wire.ListItemsQuery = {}, options?: CallOptions) =>
      read<wire.ListItemsAnswer>(items, query, options),
    getItem: (itemId: Id, options?: CallOptions) => read<wire.GetItemAnswer>(at(itemId), {}, options),
    createItem: (item: wire.CreateItemBody, options?: CallOptions) =>
      change<wire.CreateItemAnswer>(items, item, options),
    editItem: (itemId: Id, changes: wire.EditItemBody, options?: CallOptions) =>
      write<wire.EditItemAnswer>(['PATCH', at(itemId), 'once'], changes, options),
    publishItem: (itemId: Id, options?: CallOptions) =>
      change<wire.PublishItemAnswer>(`${at(itemId)}/publish`, undefined, options),
    withdrawItem: (itemId: Id, options?: CallOptions) =>
      change<wire.WithdrawItemAnswer>(`${at(itemId)}/withdraw`, undefined, options),
    addVersion: (itemId: Id, version: wire.AddVersionBody, options?: CallOptions) =>
      change<wire.AddVersionAnswer>(`${at(itemId)}/versions`, version, options),
    /** Moves a version from the channel `beta` to the channel `stable`. */
    promoteVersion: (itemId: Id, version: string, options?: CallOptions) =>
      change<wire.PromoteVersionAnswer>(
        `${at(itemId)}/versions/${step(version)}/promote`,
        undefined,
        options,
      ),
    listVersions: (itemId: Id, options?: CallOptions) =>
      read<wire.ListVersionsAnswer>(`${at(itemId)}/versions`, {}, options),
    uploadFile: createUpload(send),
    uploadMedia: createMediaUpload(send),
  };
}

export interface Upload {
  readonly version: string;
  readonly file: Blob | Uint8Array;
  /** The name under which buyers save the file. */
  readonly file_name?: string;
}

export interface MediaUpload {
  readonly field: 'thumbnail' | 'preview_image' | 'preview_video' | 'preview_audio' | 'screenshots';
  readonly file: Blob | Uint8Array;
}

/** The default time limits of uploads allow for large files. */
const uploadLimits = { timeoutMs: 600_000, deadlineMs: 1_800_000 };

const readBytes = (file: Blob | Uint8Array) => (file instanceof Uint8Array ? new Uint8Array(file) : file);

/** Uploads a file. A repeated upload replaces the first upload, so the call is retried. */
const createUpload =
  (send: Send) =>
  (itemId: Id, { version, file, file_name }: Upload, options?: CallOptions) =>
    send<wire.UploadFileAnswer>(
      {
        method: 'PUT',
        path: `${at(itemId)}/versions/${step(version)}/file`,
        query: { file_name },
        bytes: readBytes(file),
        repeatable: true,
      },
      { ...uploadLimits, ...options },
    );

/** Uploads an image, audio file or video. A repeated upload changes nothing, so the call is retried. */
const createMediaUpload =
  (send: Send) =>
  (itemId: Id, { field, file }: MediaUpload, options?: CallOptions) =>
    send<wire.UploadMediaAnswer>(
      {
        method: 'PUT',
        path: `${at(itemId)}/media/${step(field)}`,
        bytes: readBytes(file),
        repeatable: true,
      },
      { ...uploadLimits, ...options },
    );
