// Sends the file of a purchase, whole or in part, and records the completed download.
import type { App } from '@counterfoil/kit/http/app';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendStoredFile } from '../files/send-stored-file.ts';
import type { VersionFile } from '../items/item-version.ts';
import { markDownloaded } from '../purchases/management/change-purchase.ts';
import type { PurchaseKey } from '../purchases/management/queries.ts';

export interface SenderDeps {
  readonly db: Db;
  readonly now: () => Date;
  readonly filesDir: string;
  /** Called if a completed download could not be recorded in the database. */
  readonly onLost: (error: unknown) => void;
}

/** The file to send, and the purchase whose download is recorded. */
interface Download extends PurchaseKey {
  readonly version: string;
  readonly file: VersionFile;
}

/** Makes the function that sends files. When the service stops, it waits until all downloads are recorded. */
export function createFileSender(app: App, deps: SenderDeps) {
  const pending = new Set<Promise<void>>();
  app.addHook('onClose', async () => void (await Promise.allSettled(pending)));
  return (request: FastifyRequest, reply: FastifyReply, download: Download) => {
    const onComplete = () => {
      const recorded = recordDownload(deps, download).finally(() => pending.delete(recorded));
      pending.add(recorded);
    };
    return sendStoredFile(request, reply, {
      filesDir: deps.filesDir,
      file: download.file,
      type: 'application/octet-stream',
      headers: { 'content-disposition': describeAttachment(download.file.name) },
      onComplete,
    });
  };
}

async function recordDownload(deps: SenderDeps, download: Download): Promise<void> {
  try {
    await markDownloaded(deps.db, download, deps.now());
  } catch (error) {
    deps.onLost(error);
  }
}

/** The Content-Disposition header (RFC 6266): an ASCII name for old clients, and the exact file name. */
function describeAttachment(name: string): string {
  const safe = name.replace(/[\\/:*?"<>|]/g, '_');
  const plain = safe.replace(/[^\x20-\x7e]/g, '_').replace(/%/g, '_');
  const encoded = encodeURIComponent(safe).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
