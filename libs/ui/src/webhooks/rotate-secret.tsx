// Rotates the secret of an endpoint. During the overlap, events are signed with both secrets.
import { RefreshCw } from 'lucide-react';
import { post } from '../api/request.ts';
import { DialogButton } from '../parts/dialog.tsx';
import { formatMoment } from '../parts/moment.tsx';
import { RotateForm } from '../parts/rotate-form.tsx';
import { NewSecret } from '../parts/secret-reveal.tsx';
import { words } from '../strings.ts';
import type { EndpointProps } from './webhooks.ts';

const text = words.webhooks;
const hours = { '0': 0, '1h': 1, '24h': 24, '7d': 168 };
const overlaps = Object.keys(hours) as (keyof typeof hours)[];

interface Rotated {
  readonly secret: string;
  readonly previous_secret_until: string | null;
}

const describeOld = ({ previous_secret_until: until }: Rotated): string =>
  until ? text.oldUntil(formatMoment(until)) : text.oldEnded;

export function RotateButton({ path, endpoint }: EndpointProps) {
  return (
    <DialogButton
      label={text.rotate}
      title={text.rotateTitle}
      variant="default"
      leftSection={<RefreshCw size={14} aria-hidden />}
      dialog={{ size: 'lg' }}
      once
    >
      {({ close, show }) => (
        <RotateForm
          text={text}
          overlaps={overlaps}
          rotate={(overlap) =>
            post<Rotated>(`${path}/${endpoint.id}/rotate`, { overlap_hours: hours[overlap] })
          }
          onRotated={(rotated) => show(<EndpointSecret {...rotated} hint={describeOld(rotated)} />)}
          onCancel={close}
        />
      )}
    </DialogButton>
  );
}

export function EndpointSecret({ secret, hint }: { secret: string; hint: string }) {
  return <NewSecret text={text.shownOnce} label={text.secret} secret={secret} hint={hint} />;
}
