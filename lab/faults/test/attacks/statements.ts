// Records every SQL statement that a service sends to its database.
import pg from 'pg';

/** Statements of background work, which belong to no request. */
const background =
  /request_log|api_key_uses|validation_hours|callback_log|catalogue_copies|upstream_registrations|sign_in_failures|last_used_at|last_seen_at|\blisten\b|ledger_proofs|audit_log/i;

/**
 * Statements that begin, configure or end a transaction. These statements count only if the same connection
 * also ran a query of a request.
 */
const auxiliary = /^(?:begin|commit|rollback|set local .*|select pg_advisory_xact_lock.*|select 1)$/i;

export interface StatementLog {
  /** Returns the SQL statements of requests since the last call. */
  take(): string[];
  close(): void;
}

export function watchStatements(): StatementLog {
  let seen: { client: pg.Client; text: string }[] = [];
  const { prototype } = pg.Client;
  const original = prototype.query;
  prototype.query = function (this: pg.Client, ...given: Parameters<typeof original>) {
    const [first] = given as unknown[];
    const text = typeof first === 'string' ? first : (first as { text?: string } | null)?.text;
    if (text !== undefined) seen.push({ client: this, text: text.replace(/\s+/g, ' ').trim() });
    return original.apply(this, given);
  } as typeof original;
  const isOfRequest = ({ text }: { text: string }) => !background.test(text) && !auxiliary.test(text);
  return {
    take: () => {
      const taken = seen;
      seen = [];
      const busy = new Set(taken.filter(isOfRequest).map(({ client }) => client));
      return taken
        .filter(({ client, text }) => busy.has(client) && text !== 'select 1' && !background.test(text))
        .map(({ text }) => text);
    },
    close: () => {
      prototype.query = original;
    },
  };
}
