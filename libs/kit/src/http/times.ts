// Times on the wire: UTC, to the second.

export const presentTime = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;

export const wholeSecond = (time: Date): Date => new Date(Math.floor(time.getTime() / 1000) * 1000);

/** Two that are missing are the same. */
export const isSameSecond = (a: Date | undefined, b: Date | undefined): boolean =>
  (a && wholeSecond(a).getTime()) === (b && wholeSecond(b).getTime());
