// Buffers the usage since the last flush, grouped by workspace. The number of entries is limited.
import { isPrintable } from '@counterfoil/kit/http/text';
import type { KeyUse, RefusedCode } from './store.ts';
import type { RefusedCodeEvent, RequestEvent, UsageSink, ValidationEvent } from './usage-sink.ts';

export interface ValidationHour {
  readonly hour: Date;
  /** The item of the validation, or 0 if no item was found. */
  readonly itemId: bigint;
  valid: number;
  invalid: number;
}

export interface WorkspaceUsage {
  readonly workspaceId: bigint;
  readonly requests: RequestEvent[];
  readonly uses: Map<bigint, KeyUse>;
  readonly hours: Map<string, ValidationHour>;
  readonly refusedCodes: Map<string, RefusedCode>;
}

/**
 * Replaces a client's text by '' if it contains NUL or a lone surrogate. PostgreSQL would refuse the whole
 * batch because of such a text.
 */
const clean = (text: string): string => (isPrintable(text) ? text : '');

const cleanRequest = (event: RequestEvent): RequestEvent => {
  const { address, codeHint = '', pageOrigin = '' } = event;
  if ([address, codeHint, pageOrigin].every(isPrintable)) return event;
  return {
    ...event,
    address: clean(address),
    codeHint: clean(codeHint),
    pageOrigin: clean(pageOrigin) || undefined,
  };
};

/** A repeat of a code by the same caller within an hour needs no further entry. */
function countRefusedCode(
  refusedCodes: Map<string, RefusedCode>,
  event: RefusedCodeEvent,
  hasRoom: () => boolean,
): void {
  const [hour, address] = [startOfHour(event.at), clean(event.address)];
  const codeHint = clean(event.codeHint);
  const name = JSON.stringify([hour, address, codeHint]);
  const counted = refusedCodes.get(name);
  if (!counted && !hasRoom()) return;
  const failures = (counted?.failures ?? 0) + 1;
  refusedCodes.set(name, { hour, address, codeHint, failures, lastAt: event.at });
}

/**
 * Buffers usage. When the buffer has `maxEntries` entries, new entries are dropped, and `onDropped` is called
 * for each of them. The counts of entries that are already in the buffer still increase.
 */
export function createUsageBuffer(options: {
  maxEntries: number;
  keepRequests: boolean;
  onDropped: () => void;
}) {
  let workspaces = new Map<bigint, WorkspaceUsage>();
  let entries = 0;

  const find = (workspaceId: bigint): WorkspaceUsage => {
    const known = workspaces.get(workspaceId);
    if (known) return known;
    const refusedCodes = new Map();
    const usage = { workspaceId, requests: [], uses: new Map(), hours: new Map(), refusedCodes };
    workspaces.set(workspaceId, usage);
    return usage;
  };

  const hasRoom = (): boolean => {
    if (entries < options.maxEntries) {
      entries++;
      return true;
    }
    options.onDropped();
    return false;
  };

  const onRequest = (event: RequestEvent) => {
    const usage = find(event.workspaceId);
    const before = usage.uses.get(event.apiKeyId);
    const origin = clean(event.pageOrigin ?? '');
    const use = {
      apiKeyId: event.apiKeyId,
      at: event.at,
      address: clean(event.address),
      page: origin === '' ? before?.page : { origin, at: event.at },
    };
    if (before || hasRoom()) usage.uses.set(event.apiKeyId, use);
    if (options.keepRequests && hasRoom()) usage.requests.push(cleanRequest(event));
  };

  const onValidation = (event: ValidationEvent) => {
    const usage = find(event.workspaceId);
    const hour = startOfHour(event.at);
    const itemId = event.itemId ?? 0n;
    const name = `${hour.getTime()} ${itemId}`;
    let counted = usage.hours.get(name);
    if (!counted) {
      if (!hasRoom()) return;
      counted = { hour, itemId, valid: 0, invalid: 0 };
      usage.hours.set(name, counted);
    }
    counted[event.outcome === 'valid' ? 'valid' : 'invalid']++;
  };

  const onRefusedCode = (event: RefusedCodeEvent) => {
    if (options.keepRequests) countRefusedCode(find(event.workspaceId).refusedCodes, event, hasRoom);
  };

  const sink: UsageSink = { onRequest, onValidation, onRefusedCode };
  return {
    sink,
    /** Returns the buffered usage and empties the buffer. */
    take: (): WorkspaceUsage[] => {
      const taken = [...workspaces.values()];
      workspaces = new Map();
      entries = 0;
      return taken;
    },
  };
}

const hourMs = 3_600_000;

export const startOfHour = (at: Date): Date => new Date(Math.floor(at.getTime() / hourMs) * hourMs);
