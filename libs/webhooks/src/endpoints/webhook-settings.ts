// The settings of webhooks, which are the same in every service.
import { oneOf, type Values, wholeNumber } from '@counterfoil/kit/process/config';

export const webhookSettings = {
  /** `on` allows http and private addresses. `auto` allows them in the demo only. */
  WEBHOOK_LOCAL_ADDRESSES: oneOf(['auto', 'off', 'on'], 'auto'),
  WEBHOOK_LOG_DAYS: wholeNumber({ fallback: 30, min: 1, max: 3650 }),
  WEBHOOK_DISABLE_AFTER_HOURS: wholeNumber({ fallback: 72, min: 1, max: 720 }),
};

export interface WebhookSettings {
  readonly allowLocal: boolean;
  readonly logDays: number;
  readonly disableAfterMs: number;
}

export function presentWebhookSettings(
  values: Values<typeof webhookSettings> & { DEMO: string; NODE_ENV: string },
): WebhookSettings {
  const isDemo = values.DEMO === 'on' && values.NODE_ENV !== 'production';
  const given = values.WEBHOOK_LOCAL_ADDRESSES;
  return {
    allowLocal: given === 'on' || (given === 'auto' && isDemo),
    logDays: values.WEBHOOK_LOG_DAYS,
    disableAfterMs: values.WEBHOOK_DISABLE_AFTER_HOURS * 3_600_000,
  };
}
