// Rotates the secret of an endpoint; during the overlap, events are signed with both secrets.
import { Button } from '@mantine/core';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { post } from '../api/request.ts';
import { useAction } from '../api/use-action.ts';
import { formatMoment } from '../parts/moment.tsx';
import { RotateForm } from '../parts/rotate-form.tsx';
import { words } from '../strings.ts';
import { OnceDialog } from './once-dialog.tsx';
import type { Endpoint, WebhooksProps } from './webhooks.ts';

const text = words.webhooks;
const hours: Record<string, number> = { '0': 0, '1h': 1, '24h': 24, '7d': 168 };

type Props = WebhooksProps & { endpoint: Endpoint };

interface Rotated {
  readonly secret: string;
  readonly previous_secret_until: string | null;
}

export function RotateButton(props: Props) {
  const [opened, setOpened] = useState(false);
  const [until, setUntil] = useState<string | null>(null);
  const close = () => setOpened(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<RefreshCw size={14} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        {text.rotate}
      </Button>
      <OnceDialog
        opened={opened}
        onClose={close}
        title={text.rotateTitle}
        note={until ? text.oldUntil(formatMoment(until)) : text.oldEnded}
      >
        {(show) => (
          <Rotate
            {...props}
            onClose={close}
            onRotated={(rotated) => {
              setUntil(rotated.previous_secret_until);
              show(rotated.secret);
            }}
          />
        )}
      </OnceDialog>
    </>
  );
}

function Rotate(props: Props & { onRotated: (rotated: Rotated) => void; onClose: () => void }) {
  const { path, endpoint } = props;
  const action = useAction(
    (overlap: string) =>
      post<Rotated>(`${path}/${endpoint.id}/rotate`, { overlap_hours: hours[overlap] }),
    { quiet: true, refresh: ['webhooks', 'audit'], onDone: props.onRotated },
  );
  return (
    <RotateForm
      text={{ ...text, cancel: words.confirm.cancel }}
      error={action.error}
      waiting={action.isPending}
      onRotate={(overlap) => action.mutate(overlap)}
      onClose={props.onClose}
    />
  );
}
