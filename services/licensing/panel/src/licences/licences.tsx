// Offline licences: the keys that sign them, the addresses of the public keys and the revocation list, and
// the terms of the workspace.
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { CodeBlock } from '@counterfoil/ui/parts/code-block.tsx';
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty, PageHeader, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { Rows } from '@counterfoil/ui/table/rows.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Alert, Badge, Stack, Text } from '@mantine/core';
import { FileKey } from 'lucide-react';
import { LicenceTermsCard } from '../items/item-numbers.tsx';
import { words } from '../strings.ts';
import type { SigningKey } from '../wire.ts';
import { CreateKeyButton, RotateKeyButton } from './rotate-signing-key.tsx';

const text = words.licences;

interface SigningKeys {
  readonly signing_keys: readonly SigningKey[];
  readonly jwks_url: string;
  readonly revocations_url: string;
}

const colors = { next: 'amber', current: 'pine', retiring: 'amber', retired: 'gray' } as const;

export default function Licences() {
  const { id, base, isOwner } = useTenant();
  const query = useGet<SigningKeys>(['signing-keys', id], `${base}/signing-keys`);
  return (
    <>
      <PageHeader title={words.pages.licences} text={text.text} />
      <Stack gap="lg" maw={960}>
        {!isOwner && <Alert color="gray">{words.ownersOnly}</Alert>}
        <QueryView query={query}>{(data) => <Keys {...data} />}</QueryView>
        <LicenceTermsCard key={id} />
      </Stack>
    </>
  );
}

function Keys({ signing_keys: keys, ...urls }: SigningKeys) {
  const { isOwner } = useTenant();
  if (keys.length === 0) {
    return (
      <Surface title={text.list} flush>
        <Empty
          title={text.none}
          text={text.noneText}
          icon={FileKey}
          action={isOwner && <CreateKeyButton />}
        />
      </Surface>
    );
  }
  return (
    <>
      <Surface title={text.list} flush actions={isOwner && <RotateKeyButton />}>
        <Rows
          label={text.list}
          rows={keys}
          rowKey={({ id }) => id}
          columns={[
            { title: text.kid, render: (key) => <Name signingKey={key} /> },
            { title: text.signsFrom, render: (key) => <Moment at={key.signs_from} /> },
            {
              title: text.publishedUntil,
              render: (key) =>
                key.published_until ? <Moment at={key.published_until} /> : text.untilRotation,
            },
          ]}
        />
      </Surface>
      <Surface title={text.addresses} text={text.addressesText}>
        <Stack>
          <CodeBlock label={text.jwks} code={urls.jwks_url} />
          <CodeBlock label={text.revocations} code={urls.revocations_url} />
        </Stack>
      </Surface>
    </>
  );
}

function Name({ signingKey: key }: { signingKey: SigningKey }) {
  return (
    <Stack gap={2} align="flex-start">
      <Badge color={colors[key.state]}>{text.states[key.state]}</Badge>
      <Text size="xs" className="cf-mono cf-break">
        {key.kid}
      </Text>
    </Stack>
  );
}
