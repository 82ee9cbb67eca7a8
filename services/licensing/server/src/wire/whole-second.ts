// Moments of the domain are kept to the second: what is shown is then all there is to compare.
export const wholeSecond = (time: Date): Date => new Date(Math.floor(time.getTime() / 1000) * 1000);

/** Two that are missing are the same. */
export const isSameSecond = (a: Date | undefined, b: Date | undefined): boolean =>
  (a && wholeSecond(a).getTime()) === (b && wholeSecond(b).getTime());
