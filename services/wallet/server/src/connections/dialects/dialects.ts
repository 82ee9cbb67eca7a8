// All dialects by name.
import type { Dialects } from '../connection.ts';
import { hub88 } from './hub88/hub88.ts';
import { slotegrator } from './slotegrator/slotegrator.ts';
import { softswiss } from './softswiss/softswiss.ts';
import { valkyrie } from './valkyrie/valkyrie.ts';

export const dialects: Dialects = { valkyrie, softswiss, hub88, slotegrator };
