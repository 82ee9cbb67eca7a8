// The terms of licences: how long an offline licence is valid, its grace period, and when a licence ends.
import { type Static, Type } from 'typebox';
import { addMonths } from '../purchases/purchase.ts';

export const maxValidDays = 365;
export const maxGraceDays = 30;
const maxTermMonths = 120;
const dayMs = 86_400_000;

/** The updates that a purchase includes: those until the end of support, or all. */
const updateWindows = ['support', 'always'] as const;

const TermsAnswer = Type.Object({
  valid_days: Type.Integer({
    minimum: 1,
    maximum: maxValidDays,
    description: 'Days for which an offline licence is valid after it was issued.',
  }),
  grace_days: Type.Integer({
    minimum: 0,
    maximum: maxGraceDays,
    description: 'Days for which clients still accept an expired offline licence.',
  }),
  term_months: Type.Integer({
    minimum: 0,
    maximum: maxTermMonths,
    description: 'The licence ends this many months after the sale; 0 means never.',
  }),
  updates: Type.Enum([...updateWindows], {
    description: '`support`: versions that were released before the end of support. `always`: all versions.',
  }),
});

export const SetTermsAnswer = Type.Partial(TermsAnswer, {
  description: 'Only the terms that are set here; the others come from the workspace.',
});

export const LicenceTermsAnswer = Type.Object({ set: SetTermsAnswer, in_force: TermsAnswer });

/** The terms in force for an item. The names are those of the API. */
export type LicenceTerms = Readonly<Static<typeof TermsAnswer>>;

/** The terms that a seller has set, for an item or for the workspace. */
export type SetTerms = Readonly<Static<typeof SetTermsAnswer>>;

export const termNames = ['valid_days', 'grace_days', 'term_months', 'updates'] as const;

export const defaultTerms: LicenceTerms = {
  valid_days: 14,
  grace_days: 7,
  term_months: 0,
  updates: 'support',
};

/** The end of the licence of a purchase; undefined if it never ends. */
export const findLicenceEnd = (terms: LicenceTerms, purchasedAt: Date): Date | undefined =>
  terms.term_months === 0 ? undefined : addMonths(purchasedAt, terms.term_months);

/** Whether the grace period after this end of a licence is over. */
export const isGraceOver = (terms: LicenceTerms, endsAt: Date | undefined, now: Date): boolean =>
  endsAt !== undefined && endsAt.getTime() + terms.grace_days * dayMs <= now.getTime();
