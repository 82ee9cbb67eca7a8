// All dialects by name.
import type { Dialects } from '../connection.ts';

export const dialects = {} as Dialects;
