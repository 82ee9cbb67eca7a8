// The sandbox of a package: a link to it, or a button that creates it.
import { post } from '@counterfoil/ui/api/request.ts';
import { fillPath } from '@counterfoil/ui/panel.ts';
import { ActionButton, ActionError, useAction } from '@counterfoil/ui/parts/action.tsx';
import { DialogResult } from '@counterfoil/ui/parts/dialog.tsx';
import { LinkButton } from '@counterfoil/ui/parts/links.tsx';
import { Facts, Surface } from '@counterfoil/ui/parts/page.tsx';
import { type NamedSecret, Secrets } from '@counterfoil/ui/parts/secret-reveal.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Modal, Stack, Text } from '@mantine/core';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { Package } from '../wire.ts';

const text = words.sandbox;

export interface MadeCredentials {
  readonly credentials: {
    readonly uid: string;
    readonly caller: { readonly api_key: string; readonly api_secret: string };
    readonly aes_key: string;
  };
}

export function listCredentials({ credentials }: MadeCredentials): NamedSecret[] {
  const { uid, key, secret, aes } = words.credentials;
  return [
    [uid, credentials.uid],
    [key, credentials.caller.api_key],
    [secret, credentials.caller.api_secret],
    [aes, credentials.aes_key],
  ];
}

export function Sandbox({ found }: { found: Package }) {
  const { isOwner } = useTenant();
  if (found.sandbox) return <TestIds />;
  return (
    <Surface title={text.title} text={text.text}>
      {found.sandbox_id !== null && (
        <LinkButton
          variant="default"
          to={fillPath(paths.overview, { package_id: found.sandbox_id })}
          leftSection={<FlaskConical size={16} aria-hidden />}
        >
          {text.open}
        </LinkButton>
      )}
      {isOwner && <MakeSandbox isThere={found.sandbox_id !== null} />}
      {!isOwner && found.sandbox_id === null && <Text size="sm">{text.askOwner}</Text>}
    </Surface>
  );
}

/** Lists the test ids that `sandbox/test-ids.ts` of the service defines. */
function TestIds() {
  return (
    <Surface title={text.players} text={text.playersText}>
      <Facts facts={Object.entries(text.ids)} />
    </Surface>
  );
}

function MakeSandbox({ isThere }: { isThere: boolean }) {
  const { base } = useTenant();
  const [made, setMade] = useState<MadeCredentials>();
  const close = () => setMade(undefined);
  const action = useAction(() => post<MadeCredentials>(`${base}/sandbox`), { quiet: true, onDone: setMade });
  return (
    <Stack gap="sm" align="flex-start">
      <ActionError action={action} />
      {!isThere && <ActionButton action={action} label={text.make} variant="default" />}
      <Modal
        opened={made !== undefined}
        onClose={close}
        title={text.made}
        size="lg"
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
      >
        {made && (
          <DialogResult onClose={close} once>
            <Secrets text={words.credentials.shownOnce} secrets={listCredentials(made)} />
          </DialogResult>
        )}
      </Modal>
    </Stack>
  );
}
