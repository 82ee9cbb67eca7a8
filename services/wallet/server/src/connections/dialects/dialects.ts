// All dialects by name.
import type { Dialects } from '../connection.ts';
import { softswiss } from './softswiss/softswiss.ts';

export const dialects = { softswiss } as unknown as Dialects;
