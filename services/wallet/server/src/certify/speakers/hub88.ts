// Speaks as Hub88, or as Caleta with the profile `caleta`.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { parseUnits, toUnits } from '../../connections/dialects/amounts.ts';
import { findSignatureHeader, signBody } from '../../connections/dialects/hub88/signature.ts';
import type { Answer, Caller, Message, Move, Signing, Speaker, SpeakerTerms } from '../speaker.ts';
import { hasEqualBody, notJson, postJson, readObject, readText, writeAmount } from './wire.ts';

const codes: Speaker['codes'] = {
  signature: ['RS_ERROR_INVALID_SIGNATURE'],
  invalid: ['RS_ERROR_WRONG_SYNTAX', 'RS_ERROR_WRONG_TYPES'],
  funds: ['RS_ERROR_NOT_ENOUGH_MONEY'],
  promo_funds: ['RS_ERROR_NOT_ENOUGH_MONEY'],
  limit: ['RS_ERROR_LIMIT_REACHED', 'RS_ERROR_BET_LIMIT_EXCEEDED'],
  player: ['RS_ERROR_INVALID_TOKEN'],
  currency: ['RS_ERROR_WRONG_CURRENCY'],
  session: ['RS_ERROR_INVALID_TOKEN'],
  expired: ['RS_ERROR_TOKEN_EXPIRED'],
  blocked: ['RS_ERROR_USER_DISABLED'],
  conflict: ['RS_ERROR_DUPLICATE_TRANSACTION'],
  rolled_back: ['RS_ERROR_TRANSACTION_ROLLED_BACK'],
  unknown_bet: ['RS_ERROR_TRANSACTION_DOES_NOT_EXIST'],
  unknown_rollback: ['RS_ERROR_TRANSACTION_DOES_NOT_EXIST'],
  settled: ['RS_ERROR_UNKNOWN'],
};

/** Hub88 writes amounts as whole hundred-thousandths, so amounts have 5 decimals. */
const unitDecimals = 5;

export function createHub88Speaker({ credentials, decimals, profile }: SpeakerTerms): Speaker {
  const toAmount = (amount: Move['amount']) =>
    writeAmount(amount, (minor) => String(toUnits(minor, unitDecimals, decimals)));
  const send = (path: string, { playerId, session, ...caller }: Caller, fields: object) =>
    postJson(path, {
      user: playerId,
      ...(profile === 'caleta' && { supplier_user: playerId }),
      token: session,
      request_uuid: randomUUID(),
      currency: caller.currency,
      game_code: caller.gameId,
      ...fields,
    });
  const fieldsOf = ({ id, round, amount }: Move) => ({
    transaction_uuid: id,
    supplier_transaction_id: id,
    round,
    round_closed: false,
    is_free: false,
    amount: toAmount(amount),
  });
  const rollback: Speaker['rollback'] = (caller, { id, of, round }) =>
    send('/transaction/rollback', caller, {
      transaction_uuid: id,
      supplier_transaction_id: id,
      reference_transaction_uuid: of,
      round,
      round_closed: false,
    });
  return {
    dialect: 'hub88',
    codes,
    showsBalance: ['funds'],
    acceptsUnknownRollback: true,
    badAmounts: ['-100000', '"100000"', '"NaN"', 'null', '1e400'],
    // If the wallet has fewer decimals than the protocol, the amount 100001 has too many decimals for the
    // wallet. The other amounts have too many decimals for the protocol.
    tooFineAmounts: decimals < unitDecimals ? ['100001', '100000.5'] : ['100000.5', '100000.1'],
    sign: createSigner(credentials.private_key_pem ?? '', profile),
    balance: (caller) => send('/user/balance', caller, {}),
    bet: (caller, move) => send('/transaction/bet', caller, { ...fieldsOf(move), ...move.more }),
    win: (caller, move) =>
      send('/transaction/win', caller, {
        ...fieldsOf(move),
        reference_transaction_uuid: move.bet,
        ...move.more,
      }),
    rollback,
    reverseWin: rollback,
    malformed: (_caller, text) => ({ ...postJson('/transaction/bet', {}), body: Buffer.from(text) }),
    read: (status, text) => read(status, text, decimals),
    hasRightStatus: ({ status }) => status === 200,
    isSameAnswer: hasEqualBody,
  };
}

/**
 * A key that no wallet knows, for wrong signatures. The key is generated once, because generating a key takes
 * 0.1 seconds.
 */
let wrongPem: string | undefined;

function createSigner(privateKeyPem: string, profile: string): Speaker['sign'] {
  const findPem = (signing: Signing) => {
    if (signing !== 'wrong') return privateKeyPem;
    wrongPem ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString();
    return wrongPem;
  };
  return (message: Message, signing = 'right') => {
    const name = findSignatureHeader(profile);
    const signature = signing === 'missing' ? {} : { [name]: signBody(findPem(signing), message.body) };
    return { ...message, headers: { ...message.headers, ...signature } };
  };
}

/**
 * Reads a balance in hundred-thousandths. A negative balance is accepted, because a faulty wallet may return
 * one.
 */
function readUnits(balance: unknown, decimals: number): bigint | undefined {
  if (!Number.isSafeInteger(balance)) return undefined;
  const units = BigInt(balance as number);
  if (units >= 0n) return parseUnits(units, unitDecimals, decimals);
  const minor = parseUnits(-units, unitDecimals, decimals);
  return minor === undefined ? undefined : -minor;
}

function read(status: number, text: string, decimals: number): Answer {
  const body = readObject(text);
  if (!body) return notJson(status);
  const code = readText(body.status) ?? '';
  const accepted = code === 'RS_OK';
  const { balance } = body;
  return {
    status,
    accepted,
    code: accepted ? '' : code,
    detail: '',
    balance: readUnits(balance, decimals),
    id: undefined,
    body,
  };
}
