// The actions of an owner on a key: retrieve, rotate, edit, revoke.
import { SecretReveal } from '@counterfoil/ui/parts/secret-reveal.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { ActionIcon, Group, Menu } from '@mantine/core';
import { Ellipsis, Pencil, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { words } from '../strings.ts';
import type { ApiKey } from '../wire.ts';
import { EditDialog } from './edit-key.tsx';
import { RevokeDialog } from './revoke-key.tsx';
import { RotateDialog } from './rotate-key.tsx';

const text = words.keys;

export function KeyActions({ apiKey: key }: { apiKey: ApiKey }) {
  const { base, isOwner } = useTenant();
  const [opened, setOpened] = useState<'rotate' | 'edit' | 'revoke'>();
  const close = () => setOpened(undefined);
  if (!isOwner || key.state !== 'active') return null;
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      <SecretReveal
        label={text.retrieveOf(key.name)}
        buttonLabel={text.retrieve}
        path={`${base}/api-keys/${key.id}/reveal`}
      />
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={text.more(key.name)}>
            <Ellipsis size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {key.replaced_by === undefined && (
            <Menu.Item leftSection={<RefreshCw size={14} aria-hidden />} onClick={() => setOpened('rotate')}>
              {text.rotate}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<Pencil size={14} aria-hidden />} onClick={() => setOpened('edit')}>
            {text.rename}
          </Menu.Item>
          <Menu.Item
            color="red.8"
            leftSection={<Trash2 size={14} aria-hidden />}
            onClick={() => setOpened('revoke')}
          >
            {text.revoke}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RotateDialog apiKey={key} opened={opened === 'rotate'} onClose={close} />
      <EditDialog apiKey={key} opened={opened === 'edit'} onClose={close} />
      <RevokeDialog apiKey={key} opened={opened === 'revoke'} onClose={close} />
    </Group>
  );
}
