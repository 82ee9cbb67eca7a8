// The credentials of a package: UID, key pairs, AES key, sandbox.
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { CopyButton } from '@counterfoil/ui/parts/code-block.tsx';
import { formatMoment, Moment } from '@counterfoil/ui/parts/moment.tsx';
import { PageHeader, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { SecretReveal } from '@counterfoil/ui/parts/secret-reveal.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Group, Stack, Text } from '@mantine/core';
import { useSettings } from '../package.ts';
import { words } from '../strings.ts';
import type { KeyPair, Package } from '../wire.ts';
import { KeyPairs } from './key-pairs.tsx';
import { RotateButton } from './rotate.tsx';
import { Sandbox } from './sandbox.tsx';

const text = words.credentials;

export default function Credentials() {
  const { id, base, isOwner } = useTenant();
  const settings = useSettings();
  const pairs = useGet<{ key_pairs: KeyPair[] }>(['key-pairs', id], `${base}/key-pairs`);
  return (
    <>
      <PageHeader title={words.pages.credentials} text={text.text} />
      <Stack gap="lg">
        <QueryView query={settings}>{(data) => <Uid found={data.package} />}</QueryView>
        <Surface title={text.pairs} text={text.pairsText} flush>
          <QueryView query={pairs}>{(data) => <KeyPairs pairs={data.key_pairs} />}</QueryView>
          {isOwner && (
            <Group p="md" gap="xs">
              <RotateButton target="caller" />
              <RotateButton target="callback" />
            </Group>
          )}
        </Surface>
        <QueryView query={settings}>
          {(data) => (
            <>
              <AesKey found={data.package} />
              <Sandbox found={data.package} />
            </>
          )}
        </QueryView>
      </Stack>
    </>
  );
}

function Uid({ found }: { found: Package }) {
  return (
    <Surface title={text.uid} text={text.uidText}>
      <Group gap="xs">
        <Text className="cf-mono cf-break">{found.uid}</Text>
        <CopyButton value={found.uid} />
      </Group>
    </Surface>
  );
}

function AesKey({ found }: { found: Package }) {
  const { base, isOwner } = useTenant();
  const { aes_key_rotated_at: rotated, aes_key_previous_until: until } = found;
  return (
    <Surface title={text.aes} text={text.aesText}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          {rotated ? (
            <>
              {text.aesRotated} <Moment at={rotated} />.
            </>
          ) : (
            text.aesNever
          )}{' '}
          {until && text.aesOld(formatMoment(until))}
        </Text>
        {isOwner && (
          <Group gap="xs">
            <SecretReveal
              label={text.aes}
              buttonLabel={text.showAes}
              size="sm"
              path={`${base}/aes-key/reveal`}
              field="aes_key"
            />
            <RotateButton target="aes" />
          </Group>
        )}
      </Stack>
    </Surface>
  );
}
