// Webhooks as the service returns them, and the paths, rights and texts of the current tenant.
import { useGet } from '../api/use-get.ts';
import { usePanel } from '../panel.ts';
import { useTenant } from '../tenant.ts';

export interface Endpoint {
  readonly id: number | string;
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly string[];
  readonly state: 'enabled' | 'disabled';
  readonly disabled_reason: string | null;
  readonly failing_since: string | null;
  readonly created_at: string;
  readonly last_delivered_at: string | null;
  /** The number of events that are still to be delivered. */
  readonly pending: number;
  readonly previous_secret_until: string | null;
}

export interface EventType {
  readonly type: string;
  readonly description: string;
}

export interface Webhooks {
  readonly endpoints: readonly Endpoint[];
  readonly event_types: readonly EventType[];
}

export interface Delivery {
  readonly id: number | string;
  readonly event_id: string;
  readonly type: string;
  readonly subject: string | null;
  readonly attempt: number;
  readonly at: string;
  /** The HTTP status of the receiver's response, or null if there was none. */
  readonly status: number | null;
  readonly outcome: 'delivered' | 'failed' | 'refused';
  readonly duration_ms: number | null;
  readonly error: string | null;
  readonly next_attempt_at: string | null;
}

export type Tested = Pick<Delivery, 'status' | 'outcome' | 'duration_ms' | 'error'>;

/** The props that the components of both webhook pages share. */
export type WebhooksProps = ReturnType<typeof useWebhooksProps>;

export function useWebhooksProps() {
  const { base, isOwner, to } = useTenant();
  const { paths, text } = usePanel().webhooks;
  return {
    /** The path of the webhooks in the service. */
    path: `${base}/webhooks`,
    canManage: isOwner,
    /** `listTo` is the address of the list, and `endpointTo` returns the address of one endpoint. */
    listTo: to(paths.webhooks),
    endpointTo: (id: Endpoint['id']) => to(paths.webhook, { endpoint_id: id }),
    text,
  };
}

export type EndpointProps = WebhooksProps & { readonly endpoint: Endpoint };

export const refreshMs = 5_000;

export const useWebhooks = (path: string) =>
  useGet<Webhooks>(['webhooks', path], path, { refetchInterval: refreshMs });
