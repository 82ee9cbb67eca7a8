// The credentials of a package: UID, key pairs, AES key, sandbox.
import { get, post } from '@counterfoil/ui/api/request.ts';
import { CopyButton } from '@counterfoil/ui/parts/code-block.tsx';
import { PageHeader, Surface } from '@counterfoil/ui/parts/layout.tsx';
import { formatMoment, Moment } from '@counterfoil/ui/parts/moment.tsx';
import { SecretReveal } from '@counterfoil/ui/parts/secret-reveal.tsx';
import { QueryView } from '@counterfoil/ui/parts/states.tsx';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePackage, useSettings } from '../package.ts';
import { words } from '../strings.ts';
import type { KeyPair, Package } from '../wire.ts';
import { KeyPairs } from './key-pairs.tsx';
import { RotateDialog, type RotateTarget } from './rotate.tsx';
import { Sandbox } from './sandbox.tsx';

const text = words.credentials;

export default function Credentials() {
  const { id, base } = usePackage();
  const settings = useSettings();
  const pairs = useQuery({
    queryKey: ['key-pairs', id],
    queryFn: () => get<{ key_pairs: KeyPair[] }>(`${base}/key-pairs`),
  });
  return (
    <>
      <PageHeader title={words.pages.credentials} text={text.text} />
      <Stack gap="lg">
        <QueryView query={settings}>{(data) => <Uid found={data.package} />}</QueryView>
        <Surface title={text.pairs} text={text.pairsText} flush>
          <QueryView query={pairs}>{(data) => <KeyPairs pairs={data.key_pairs} />}</QueryView>
          <Rotations />
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

function Rotations() {
  const { isOwner } = usePackage();
  const [target, setTarget] = useState<RotateTarget>();
  if (!isOwner) return null;
  return (
    <Group p="md" gap="xs">
      <Button variant="default" onClick={() => setTarget('caller')}>
        {text.rotateCaller}
      </Button>
      <Button variant="default" onClick={() => setTarget('callback')}>
        {text.rotateCallback}
      </Button>
      <RotateDialog target={target} onClose={() => setTarget(undefined)} />
    </Group>
  );
}

function AesKey({ found }: { found: Package }) {
  const { base, isOwner } = usePackage();
  const [target, setTarget] = useState<RotateTarget>();
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
              reveal={async (password) => {
                const path = `${base}/aes-key/reveal`;
                return (await post<{ aes_key: string }>(path, { password })).aes_key;
              }}
            />
            <Button variant="default" onClick={() => setTarget('aes')}>
              {text.rotateAes}
            </Button>
          </Group>
        )}
      </Stack>
      <RotateDialog target={target} onClose={() => setTarget(undefined)} />
    </Surface>
  );
}
