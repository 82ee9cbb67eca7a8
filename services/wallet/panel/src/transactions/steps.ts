// Lists the stored movements and the other attempts of a transaction id, oldest first.
import { isRefused } from '../parts/badges.tsx';
import type { Inspected } from '../wire.ts';

export type Delivery = Inspected['deliveries'][number];
export type Attempt = Inspected['attempts'][number];

const moving = ['applied', 'late', 'rolled_back'];

const toneOfDelivery = ({ result }: Delivery) => {
  if (isRefused(result)) return 'refused';
  return moving.includes(result) ? 'moved' : 'quiet';
};

export function listSteps({ deliveries, attempts }: Inspected) {
  const stored = deliveries.map((delivery) => ({
    at: delivery.created_at,
    tone: toneOfDelivery(delivery),
    delivery,
  }));
  const others = attempts.map((attempt) => ({
    at: attempt.at,
    tone: attempt.outcome === 'repeated' ? 'quiet' : 'refused',
    attempt,
  }));
  return [...stored, ...others].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}
