// All speakers by dialect, and the credentials that each needs.
import type { DialectName } from '../../connections/dialects/dialect.ts';
import type { Speaker, SpeakerTerms } from '../speaker.ts';
import { createHub88Speaker } from './hub88.ts';
import { createSlotegratorSpeaker } from './slotegrator.ts';
import { createSoftswissSpeaker } from './softswiss.ts';
import { createValkyrieSpeaker } from './valkyrie.ts';

/** The names of the credentials without which a speaker cannot sign. */
export const neededCredentials: Readonly<Record<DialectName, readonly string[]>> = {
  softswiss: ['token'],
  hub88: ['private_key_pem'],
  slotegrator: ['merchant_id', 'merchant_key'],
  valkyrie: ['token'],
};

/** Dialects in which every bet names a running game session. */
export const dialectsWithSessions: ReadonlySet<DialectName> = new Set<DialectName>(['hub88', 'valkyrie']);

const creators: Readonly<Record<DialectName, (terms: SpeakerTerms) => Speaker>> = {
  softswiss: createSoftswissSpeaker,
  hub88: createHub88Speaker,
  slotegrator: createSlotegratorSpeaker,
  valkyrie: createValkyrieSpeaker,
};

export const createSpeaker = (dialect: DialectName, terms: SpeakerTerms): Speaker => creators[dialect](terms);
