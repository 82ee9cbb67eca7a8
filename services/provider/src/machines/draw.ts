// Draws random numbers from the system's generator. Every number is equally likely.
import { randomInt } from 'node:crypto';

/** A whole number from 0 to `choices - 1`. */
export type Draw = (choices: number) => number;

/** Draws each number with the same probability. `randomInt` has no modulo bias. */
export const drawFairly: Draw = (choices) => randomInt(choices);
