// Validates purchase codes with a cache and a grace period. An error does not make a code invalid.
import type { CallOptions, Send } from '../../sdk-shared/src/call.ts';
import { CounterfoilError } from '../../sdk-shared/src/counterfoil-error.ts';
import { createMemory, type Known, type ValidationCache } from './validation-cache.ts';
import type { ValidateAnswer, ValidPurchase } from './wire.ts';

const verdicts = [
  'purchase_not_found',
  'purchase_refunded',
  'purchase_cancelled',
  'purchase_disputed',
] as const;

export type Verdict = (typeof verdicts)[number];

interface Origin {
  /**
   * Where the verdict comes from. `grace` means that the service is unavailable and the code was valid
   * before.
   */
  readonly source: 'service' | 'cache' | 'grace';
  readonly checkedAt: Date;
}

export type Validation =
  | (Origin & { readonly valid: true; readonly purchase: ValidPurchase })
  | (Origin & { readonly valid: false; readonly reason: Verdict });

export interface ValidationOptions {
  readonly apiKey: string;
  /** The cache that stores verdicts. Without a cache, there is no grace period. */
  readonly cache?: ValidationCache;
  /** How long the verdict on a valid code is cached. The default is a day. */
  readonly cacheSeconds?: number;
  /** How long the verdict on an invalid code is cached. The default is 5 minutes. */
  readonly refusalSeconds?: number;
  /**
   * How long a code stays valid after its last check if the service is unavailable. The default is a week.
   */
  readonly graceSeconds?: number;
  readonly now?: () => Date;
}

/** The fields of a validation besides the purchase code, such as the domain of the installation. */
export type MoreFields = Readonly<Record<string, string>>;

export function createValidate(send: Send, options: ValidationOptions) {
  const { cacheSeconds = 86_400, refusalSeconds = 300, graceSeconds = 7 * 86_400 } = options;
  const { now = () => new Date() } = options;
  const memory = createMemory(options.apiKey, options.cache);
  const lifeOf = ({ valid }: Known) => (valid ? cacheSeconds : refusalSeconds);
  return {
    /**
     * Validates a code. Throws if the service gives no verdict and neither the cache nor the grace period
     * applies. After an error, try again later, and do not treat the code as invalid.
     */
    validate: async (code: string, more: MoreFields = {}, callOptions?: CallOptions): Promise<Validation> => {
      const purchaseCode = code.trim();
      const known = await memory.find(purchaseCode);
      const age = known ? (now().getTime() - known.checkedAt) / 1000 : Number.POSITIVE_INFINITY;
      // A negative age means that the system clock was set back. The cached verdict is then not used.
      if (known && age >= 0 && age < lifeOf(known)) return present(known, purchaseCode, 'cache');
      const mayRely = known?.valid === true && age <= graceSeconds;
      // If the code is in its grace period, it stays valid without an answer of the service, so one attempt
      // is enough.
      const limits = { ...(mayRely && { maxAttempts: 1 }), ...callOptions };
      try {
        const asked = await ask(send, { ...more, purchase_code: purchaseCode }, limits);
        const fresh = { ...asked, checkedAt: now().getTime() };
        await memory.keep(purchaseCode, fresh);
        return present(fresh, purchaseCode, 'service');
      } catch (error) {
        if (!mayRely || !isAway(error)) throw error;
        return present(known, purchaseCode, 'grace');
      }
    },
    /** Removes the cached verdict of a code, so that the next call asks the service. */
    forget: (code: string): Promise<void> => memory.forget(code.trim()),
  };
}

/**
 * Whether the service is unavailable. A response that does not come from the service counts as unavailable.
 */
const isAway = (error: unknown) =>
  error instanceof CounterfoilError &&
  (error.retryable || error.code === 'unreadable_answer' || error.code === 'answer_too_large');

async function ask(
  send: Send,
  json: MoreFields,
  options?: CallOptions,
): Promise<{ valid: true; purchase: ValidPurchase } | { valid: false; reason: Verdict }> {
  const call = {
    method: 'POST',
    path: '/api/purchases/validation',
    json,
    isRead: true,
    repeatable: true,
  } as const;
  try {
    const { data } = await send<ValidateAnswer>(call, options);
    return { valid: true, purchase: data.purchase };
  } catch (error) {
    const code = error instanceof CounterfoilError ? error.code : '';
    const reason = verdicts.find((each) => each === code);
    if (reason === undefined) throw error;
    return { valid: false, reason };
  }
}

function present(known: Known, code: string, source: Origin['source']): Validation {
  const shared = { source, checkedAt: new Date(known.checkedAt) };
  if (!known.valid) return { ...shared, valid: false, reason: known.reason };
  return { ...shared, valid: true, purchase: { ...known.purchase, purchase_code: code } };
}

/**
 * Whether the purchase has support at the moment. Validation omits `supported_until` for a purchase without
 * support, so such a purchase is not supported.
 */
export function isSupported(validation: Validation, now = new Date()): boolean {
  if (!validation.valid) return false;
  const { supported_until: until } = validation.purchase;
  return until !== undefined && Date.parse(until) >= now.getTime();
}
