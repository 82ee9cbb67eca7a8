// The errors of mail, for the error table of each service, and the operations that return each error.
import {
  type ErrorTable,
  errorEntry as refusal,
  type ServiceErrors,
  type TransportErrorCode,
} from '@counterfoil/kit/http/errors';

export const mailErrors = {
  mail_not_found: refusal(404, 'There is no such undelivered message'),
  mail_expired: refusal(409, 'The link in this message has expired; create a new one'),
} as const satisfies ErrorTable;

export type MailErrors = ServiceErrors<TransportErrorCode | keyof typeof mailErrors>;

export const mailReference = {
  operationErrors: { 'POST /mail/{mail_id}/resend': ['mail_not_found', 'mail_expired'] },
  glossary: {
    mail_id: 'The id of the message.',
    recipient: 'The address of the recipient.',
    attempts: 'The number of attempts so far.',
    smtp_status: "The status of the mail server's answer; null without an answer.",
  },
} as const;
