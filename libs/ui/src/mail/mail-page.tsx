// Messages that were not delivered by mail, and a button that sends a dead letter again.
import { Alert, Anchor } from '@mantine/core';
import { MailWarning } from 'lucide-react';
import { post } from '../api/request.ts';
import { useGet } from '../api/use-get.ts';
import { ActionButton, useAction } from '../parts/action.tsx';
import { Moment } from '../parts/moment.tsx';
import { Empty } from '../parts/page.tsx';
import { words } from '../strings.ts';
import { TablePage } from '../table/cursor-table.tsx';
import { Noted } from '../table/rows.tsx';
import { useTenant } from '../tenant.ts';

const text = words.mail;

interface Mail {
  readonly id: number;
  readonly kind: string;
  readonly recipient: string;
  readonly state: 'waiting' | 'failed';
  readonly attempts: number;
  readonly error: string | null;
  readonly smtp_status: number | null;
  readonly created_at: string;
  readonly next_attempt_at: string | null;
  readonly can_resend: boolean;
}

export default function TenantMailPage() {
  return <MailPage path={`${useTenant().base}/mail`} />;
}

export function MailPage({ path }: { path: string }) {
  return (
    <>
      <MailMode path={path} />
      <TablePage<Mail>
        label={text.title}
        text={text.text}
        queryKey={['mail', path]}
        rowKey={(mail) => mail.id}
        path={path}
        field="messages"
        empty={<Empty title={text.none} text={text.noneText} icon={MailWarning} />}
        columns={[
          {
            title: text.recipient,
            render: (mail) => <Noted note={text.kinds[mail.kind] ?? mail.kind}>{mail.recipient}</Noted>,
          },
          { title: text.state, render: (mail) => text[mail.state] },
          { title: text.reason, render: describeFailure },
          { title: text.attempts, align: 'right', render: (mail) => mail.attempts },
          { title: text.created, render: (mail) => <Moment at={mail.created_at} /> },
          {
            title: text.next,
            render: (mail) => mail.next_attempt_at && <Moment at={mail.next_attempt_at} />,
          },
          {
            title: text.resend,
            quiet: true,
            render: (mail) => mail.can_resend && <Resend mail={mail} path={path} />,
          },
        ]}
      />
    </>
  );
}

/**
 * Says that mail is not set up, or that the demo delivers all messages to its own mailbox. Renders nothing if
 * an SMTP server is set up.
 */
function MailMode({ path }: { path: string }) {
  const { data } = useGet<{ mode: string }>(['mail', path, 'mode'], `${path}?limit=1`);
  if (data?.mode === 'off') {
    return (
      <Alert color="amber" title={text.off} mb="md">
        {text.offText}
      </Alert>
    );
  }
  if (data?.mode !== 'mailbox') return null;
  return (
    <Alert title={text.mailbox} mb="md">
      <Anchor href="/mailbox">{text.openMailbox}</Anchor>
    </Alert>
  );
}

function describeFailure({ error, smtp_status: status }: Mail): string {
  const reason = text.errors[error ?? ''] ?? error ?? '';
  return status === null ? reason : `${reason} (${status})`;
}

function Resend({ mail, path }: { mail: Mail; path: string }) {
  const action = useAction(() => post(`${path}/${mail.id}/resend`), {
    done: text.resent,
    refresh: ['mail', 'audit'],
  });
  return (
    <ActionButton
      action={action}
      label={text.resend}
      size="xs"
      variant="default"
      aria-label={text.resendTo(mail.recipient)}
    />
  );
}
