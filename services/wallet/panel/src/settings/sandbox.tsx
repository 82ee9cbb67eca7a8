// The sandbox of a package: a link to it, or a button that creates it.
import { describeProblem } from '@counterfoil/ui/api/problem.ts';
import { post } from '@counterfoil/ui/api/request.ts';
import { useAction } from '@counterfoil/ui/api/use-action.ts';
import { fillPath } from '@counterfoil/ui/panel.ts';
import { Facts, Surface } from '@counterfoil/ui/parts/layout.tsx';
import { LinkButton } from '@counterfoil/ui/parts/links.tsx';
import { type NamedSecret, Secrets } from '@counterfoil/ui/parts/secret-reveal.tsx';
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { usePackage } from '../package.ts';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { Package } from '../wire.ts';

const text = words.sandbox;

interface Made {
  readonly credentials: {
    readonly uid: string;
    readonly caller: { readonly api_key: string; readonly api_secret: string };
    readonly aes_key: string;
  };
}

export function Sandbox({ found }: { found: Package }) {
  const { isOwner } = usePackage();
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

/** The test ids of the service's `sandbox/test-ids.ts`. */
function TestIds() {
  return (
    <Surface title={text.players} text={text.playersText}>
      <Facts facts={Object.entries(text.ids)} />
    </Surface>
  );
}

function MakeSandbox({ isThere }: { isThere: boolean }) {
  const { base } = usePackage();
  const [made, setMade] = useState<Made>();
  const action = useAction(() => post<Made>(`${base}/sandbox`), { quiet: true, onDone: setMade });
  return (
    <Stack gap="sm" align="flex-start">
      {action.isError && <Alert color="red">{describeProblem(action.error)}</Alert>}
      {!isThere && (
        <Button variant="default" loading={action.isPending} onClick={() => action.mutate()}>
          {text.make}
        </Button>
      )}
      <Modal
        opened={made !== undefined}
        onClose={() => setMade(undefined)}
        title={text.made}
        size="lg"
        closeOnClickOutside={false}
      >
        {made && <Shown made={made} onClose={() => setMade(undefined)} />}
      </Modal>
    </Stack>
  );
}

function Shown({ made, onClose }: { made: Made; onClose: () => void }) {
  const { uid, caller, aes_key: aesKey } = made.credentials;
  const { credentials } = words;
  const secrets: NamedSecret[] = [
    [credentials.uid, uid],
    [credentials.key, caller.api_key],
    [credentials.secret, caller.api_secret],
    [credentials.aes, aesKey],
  ];
  return (
    <Stack>
      <Text size="sm">{credentials.shownOnce}</Text>
      <Secrets secrets={secrets} />
      <Group justify="flex-end">
        <Button onClick={onClose}>{credentials.kept}</Button>
      </Group>
    </Stack>
  );
}
