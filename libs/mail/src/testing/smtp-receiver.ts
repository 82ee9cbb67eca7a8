// For tests: a real SMTP server on this machine. A test can replace the answers of the server.
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

/** A message that the server has accepted. */
export interface ReceivedMail {
  readonly to: string;
  readonly from: string;
  /** The whole message: headers and body. */
  readonly source: string;
  readonly messageId: string;
}

export class SmtpRefusal extends Error {
  readonly responseCode: number;

  constructor(responseCode: number) {
    super('refused by the test');
    this.responseCode = responseCode;
  }
}

export type SmtpReceiver = Awaited<ReturnType<typeof openSmtpReceiver>>;

const readAll = async (stream: SMTPServerDataStream): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

/** Starts the server. With credentials, clients must sign in. With `tls`, it offers STARTTLS. */
export async function openSmtpReceiver(options: { user?: string; pass?: string; tls?: boolean } = {}) {
  const sockets = new Set<Socket>();
  const server = new SMTPServer({
    authOptional: options.user === undefined,
    allowInsecureAuth: true,
    disabledCommands: [...(options.tls ? [] : ['STARTTLS']), ...(options.user ? [] : ['AUTH'])],
    disableReverseLookup: true,
    logger: false,
    onAuth: ({ username, password }, _session, done) => {
      const isRight = username === options.user && password === options.pass;
      if (isRight) done(null, { user: username });
      else done(new Error('wrong user name or password'));
    },
    onRcptTo: ({ address }, _session, done) => {
      const decide = async () => receiver.onRecipient(address);
      decide().then(
        () => done(),
        (error) => done(error),
      );
    },
    onData: (stream, { envelope }, done) => {
      const to = envelope.rcptTo[0]?.address ?? '';
      const from = envelope.mailFrom ? envelope.mailFrom.address : '';
      const receive = async () => {
        await receiver.onMessage(to, stream);
        const source = await readAll(stream);
        const [, messageId = ''] = /^Message-ID: (<.*>)/im.exec(source) ?? [];
        receiver.taken.push({ to, from, source, messageId });
        await receiver.onAccepted();
      };
      receive().then(
        () => done(),
        (error) => done(error),
      );
    },
  });
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver = {
    port: (server.server.address() as AddressInfo).port,
    /** The accepted messages, in the order of their arrival. */
    taken: [] as ReceivedMail[],
    /**
     * Called for each recipient. A test can refuse the recipient with an `SmtpRefusal`, or delay the answer.
     */
    onRecipient: (_address: string): void | Promise<void> => {},
    /** Called when the server begins to receive the content of a message. */
    onMessage: (_to: string, _stream: SMTPServerDataStream): void | Promise<void> => {},
    /** Called when the server has the whole message, before it answers. */
    onAccepted: (): void | Promise<void> => {},
    /** Closes all connections without an SMTP reply, as if the server had died. */
    dropConnections: (): void => {
      for (const socket of sockets) socket.destroy();
    },
    close: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

/** Decodes the source of a message, which is encoded as quoted-printable. */
export const readText = ({ source }: ReceivedMail): string =>
  Buffer.from(
    source
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

/** Returns the one-time link in a message. */
export const readLink = (mail: ReceivedMail): string =>
  /https?:\/\/\S+#token=[\w-]+/.exec(readText(mail))?.[0] ?? '';
