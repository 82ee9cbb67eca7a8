// Validations of one item in one hour.

export interface ValidationHour {
  readonly hour: Date;
  /** 0 where the code led to no item. */
  readonly itemId: bigint;
  readonly valid: number;
  readonly invalid: number;
}

const hourMs = 3_600_000;

export const startOfHour = (at: Date): Date => new Date(Math.floor(at.getTime() / hourMs) * hourMs);
