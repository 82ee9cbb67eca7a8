// The client of each dialect.
import type { Connection, ConnectionOf, DialectName } from '../../connections/connections.ts';
import type { DialectClient } from './client.ts';
import { hub88 } from './hub88.ts';
import { slotegrator } from './slotegrator.ts';
import { softswiss } from './softswiss.ts';
import { valkyrie } from './valkyrie.ts';

const clients: { readonly [D in DialectName]: DialectClient<ConnectionOf<D>> } = {
  softswiss,
  slotegrator,
  valkyrie,
  hub88,
};

/**
 * Finds the client of the connection's dialect. Use the client only for connections of this dialect, because
 * the returned type does not state the dialect.
 */
export const findClient = ({ dialect }: Connection): DialectClient =>
  clients[dialect] as unknown as DialectClient;
