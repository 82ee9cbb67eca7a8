// Merges the stored movements and the other attempts of a transaction id, ordered by time.
import { isRefused } from '../parts/badges.tsx';
import type { Inspected } from '../wire.ts';

type Delivery = Inspected['deliveries'][number];
export type Attempt = Inspected['attempts'][number];

export type Step =
  | { readonly at: string; readonly tone: Tone; readonly delivery: Delivery }
  | { readonly at: string; readonly tone: Tone; readonly attempt: Attempt };

type Tone = 'moved' | 'refused' | 'quiet';

const moving = ['applied', 'late', 'rolled_back'];

const toneOfDelivery = ({ result }: Delivery): Tone => {
  if (isRefused(result)) return 'refused';
  return moving.includes(result) ? 'moved' : 'quiet';
};

export function listSteps({ deliveries, attempts }: Inspected): Step[] {
  const stored = deliveries.map((delivery) => ({
    at: delivery.created_at,
    tone: toneOfDelivery(delivery),
    delivery,
  }));
  const others = attempts.map((attempt) => ({
    at: attempt.at,
    tone: attempt.outcome === 'repeated' ? ('quiet' as const) : ('refused' as const),
    attempt,
  }));
  return [...stored, ...others].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}
