// Undelivered messages of all packages, for administrators.
import { MailPage } from '@counterfoil/ui/mail/mail-page.tsx';

export default function AdminMail() {
  return <MailPage path="/panel/admin/mail" />;
}
