// The connections of each package. A connection is an address at which the wallet understands the protocol of
// another provider. The stand-in calls the wallet in one chosen protocol per package.
import { createPrivateKey } from 'node:crypto';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { fail, invalidField } from '../errors.ts';
import { openJsonFile } from '../json-file.ts';
import { CallUrl, HeaderText, Uid } from '../packages/packages.ts';

export const dialectNames = ['softswiss', 'slotegrator', 'valkyrie', 'hub88'] as const;
export type DialectName = (typeof dialectNames)[number];

export const ConnectionId = Type.String({ pattern: '^[\\w-]{1,64}$' });

const Secret = Type.Optional(HeaderText);

/**
 * An entry of `wallet.connections` in the output of `npm run credentials`. Each dialect needs
 * different credentials.
 */
export const ConnectionBody = Type.Object({
  id: ConnectionId,
  package_uid: Uid,
  dialect: Type.Enum([...dialectNames]),
  url: CallUrl,
  token: Secret,
  recon_token: Secret,
  merchant_id: Secret,
  merchant_key: Secret,
  private_key_pem: Type.Optional(Type.String({ maxLength: 16_384 })),
});

/** If `calls` is `one`, bet and win are sent in one call, which only SoftSwiss allows. */
export const ProtocolBody = Type.Object({
  connection: Type.Union([ConnectionId, Type.Null()]),
  calls: Type.Optional(Type.Enum(['separate', 'one'])),
});

interface Shared {
  readonly id: string;
  readonly uid: string;
  readonly url: string;
}

export type Connection = Shared &
  (
    | { readonly dialect: 'softswiss'; readonly token: string }
    | { readonly dialect: 'valkyrie'; readonly token: string }
    | { readonly dialect: 'slotegrator'; readonly merchantId: string; readonly merchantKey: string }
    | { readonly dialect: 'hub88'; readonly privateKeyPem: string }
  );

export type ConnectionOf<D extends DialectName> = Extract<Connection, { dialect: D }>;

export function parseConnection(body: Static<typeof ConnectionBody>): Connection {
  if (!URL.canParse(body.url)) throw invalidField('url', 'is not a URL.');
  const shared = { id: body.id, uid: body.package_uid, url: body.url.replace(/\/+$/, '') };
  const need = (name: 'token' | 'merchant_id' | 'merchant_key' | 'private_key_pem'): string => {
    const value = body[name];
    if (value === undefined) throw invalidField(name, `is required for ${body.dialect}.`);
    return value;
  };
  switch (body.dialect) {
    case 'softswiss':
    case 'valkyrie':
      return { ...shared, dialect: body.dialect, token: need('token') };
    case 'slotegrator': {
      const merchant = { merchantId: need('merchant_id'), merchantKey: need('merchant_key') };
      return { ...shared, dialect: body.dialect, ...merchant };
    }
    case 'hub88': {
      const privateKeyPem = need('private_key_pem');
      if (!isRsaKey(privateKeyPem)) throw invalidField('private_key_pem', 'must be an RSA private key.');
      return { ...shared, dialect: body.dialect, privateKeyPem };
    }
  }
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

interface Choice {
  readonly uid: string;
  readonly connection: string;
  readonly calls: 'separate' | 'one';
}

const maxConnections = 1000;

export type ConnectionRegistry = Awaited<ReturnType<typeof openConnectionRegistry>>;

export async function openConnectionRegistry(dataDir: string) {
  const empty: { connections: Connection[]; choices: Choice[] } = { connections: [], choices: [] };
  const stored = await openJsonFile(join(dataDir, 'connections.json'), empty);
  const connections = new Map(stored.value.connections.map((each) => [each.id, each]));
  const choices = new Map(stored.value.choices.map((each) => [each.uid, each]));
  const save = () => {
    stored.value.connections = [...connections.values()];
    stored.value.choices = [...choices.values()];
    return stored.save();
  };
  /** The connection that the package's games use; undefined if they use the wallet's own protocol. */
  const findChosen = (uid: string) => {
    const choice = choices.get(uid);
    const connection = choice && connections.get(choice.connection);
    return connection?.uid === uid ? { connection, isOneCall: choice?.calls === 'one' } : undefined;
  };
  return {
    find: (id: string): Connection | undefined => connections.get(id),
    findChosen,
    /** Adds a connection, or replaces the connection with the same id. */
    save: async (connection: Connection): Promise<void> => {
      if (!connections.has(connection.id) && connections.size >= maxConnections) throw fail('overloaded');
      connections.set(connection.id, connection);
      await save();
    },
    /** Chooses the protocol of new rounds. A round that has already begun continues in its protocol. */
    choose: async (uid: string, wanted: Static<typeof ProtocolBody>): Promise<void> => {
      const { connection: id, calls = 'separate' } = wanted;
      const connection = id === null ? undefined : connections.get(id);
      if (id !== null && connection?.uid !== uid) throw fail('connection_not_found');
      if (calls === 'one' && connection?.dialect !== 'softswiss') {
        throw invalidField('calls', 'can be `one` for softswiss only.');
      }
      if (id === null) choices.delete(uid);
      else choices.set(uid, { uid, connection: id, calls });
      await save();
    },
    /** Lists the connections without their credentials. */
    list: () =>
      [...connections.values()].map(({ id, uid, dialect, url }) => {
        const chosen = findChosen(uid);
        const isChosen = chosen?.connection.id === id;
        const calls = chosen?.isOneCall ? ('one' as const) : ('separate' as const);
        return { id, package_uid: uid, dialect, url, calls: isChosen ? calls : null };
      }),
  };
}
