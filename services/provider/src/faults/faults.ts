// The faults that were set through the control API, and the time at which they end.
import { type Static, Type } from 'typebox';

const apiFaults = ['down', 'unavailable', 'stall', 'html', 'empty', 'shrunk', 'huge', 'drip'] as const;

export type FaultTarget = 'private' | 'public' | 'shared';

const OneFault = Type.Optional(Type.Union([Type.Enum([...apiFaults]), Type.Null()]));

export const FaultsBody = Type.Object(
  {
    private: OneFault,
    public: OneFault,
    shared: OneFault,
    duplicate_callbacks: Type.Optional(Type.Boolean()),
    reorder_callbacks: Type.Optional(Type.Boolean()),
    /** The number of answers that are discarded for each callback, beginning with its first attempt. */
    lose_answers: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    /** Each callback is delayed by this time before it is sent. */
    delay_callbacks_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000 })),
    for_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
  },
  { additionalProperties: false },
);

type OrderedFaults = Omit<Static<typeof FaultsBody>, 'for_seconds'>;
type FaultSet = Readonly<Required<OrderedFaults>>;

const none: FaultSet = {
  private: null,
  public: null,
  shared: null,
  duplicate_callbacks: false,
  reorder_callbacks: false,
  lose_answers: 0,
  delay_callbacks_ms: 0,
};

export type Faults = ReturnType<typeof createFaults>;

export function createFaults(now: () => number) {
  let ordered = none;
  let untilMs = Number.POSITIVE_INFINITY;
  return {
    read: () => {
      if (now() >= untilMs) {
        ordered = none;
        untilMs = Number.POSITIVE_INFINITY;
      }
      const until = untilMs < Number.POSITIVE_INFINITY ? new Date(untilMs).toISOString() : null;
      return { ...ordered, until };
    },
    /** Replaces all faults that were set before. A fault that is not given is off. */
    order: (faults: OrderedFaults, forSeconds: number | undefined): void => {
      ordered = { ...none, ...faults };
      untilMs = forSeconds === undefined ? Number.POSITIVE_INFINITY : now() + forSeconds * 1000;
    },
  };
}
