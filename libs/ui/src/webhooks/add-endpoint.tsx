// Adds an endpoint; its secret is shown once.
import { post } from '../api/request.ts';
import { useAction } from '../api/use-action.ts';
import { words } from '../strings.ts';
import { type EndpointBody, EndpointForm } from './endpoint-form.tsx';
import { OnceDialog } from './once-dialog.tsx';
import type { EventType, WebhooksProps } from './wire.ts';

const text = words.webhooks;

type Props = WebhooksProps & { eventTypes: readonly EventType[]; onClose: () => void };

export function AddDialog(props: Props & { opened: boolean }) {
  const { opened, onClose } = props;
  return (
    <OnceDialog opened={opened} onClose={onClose} title={text.add} note={text.secretText}>
      {(show) => <Add {...props} onShow={show} />}
    </OnceDialog>
  );
}

function Add(props: Props & { onShow: (secret: string) => void }) {
  const action = useAction((body: EndpointBody) => post<{ secret: string }>(props.path, body), {
    quiet: true,
    refresh: ['webhooks', 'audit'],
    onDone: ({ secret }) => props.onShow(secret),
  });
  return (
    <EndpointForm
      eventTypes={props.eventTypes}
      names={props.text.events}
      error={action.error}
      waiting={action.isPending}
      action={text.addDo}
      onSubmit={(body) => action.mutate(body)}
      onClose={props.onClose}
    />
  );
}
