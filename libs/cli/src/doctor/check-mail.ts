// Checks that the mail server can be reached and accepts the user name and the password. The check sends no
// message.
import type { MailSettings } from '@counterfoil/mail/mail-settings';
import { findSmtpProblem } from '@counterfoil/mail/smtp-transport';
import { type Finding, ok, problem } from './finding.ts';

const check = 'mail';

const reasons: Record<string, string> = {
  rejected: 'the server refuses the connection',
  deferred: 'the server asks to try again later',
  sign_in_refused: 'the server does not accept the user name or the password',
  tls_failed: 'there is no TLS with a valid certificate (SMTP_TLS)',
  name_not_found: 'the name of the server is not known',
  timeout: 'the server does not answer',
  connection_failed: 'the server cannot be reached',
};

export async function checkMail({ smtp, timeoutMs }: MailSettings): Promise<Finding> {
  if (!smtp) return ok(check, 'not set up: SMTP_URL is not set');
  const found = await findSmtpProblem(smtp, timeoutMs);
  if (found === undefined) return ok(check, 'the mail server accepts connections');
  const advice = 'Check SMTP_URL, SMTP_TLS and the network; docs/operate/mail.md describes the settings.';
  return problem(check, `mail cannot be sent: ${reasons[found] ?? found}`, advice);
}
