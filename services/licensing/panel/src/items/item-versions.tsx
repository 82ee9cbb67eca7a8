// The versions of an item and their files.
import { post } from '@counterfoil/ui/api/request.ts';
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { ConfirmButton } from '@counterfoil/ui/parts/confirm-dialog.tsx';
import { DialogButton } from '@counterfoil/ui/parts/dialog.tsx';
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Hint, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Badge, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { words } from '../strings.ts';
import type { Item, ItemVersion } from '../wire.ts';
import { UploadFile } from './upload-file.tsx';

const text = words.items;

export function ItemVersions({ item }: { item: Item }) {
  const { id, base } = useTenant();
  const query = useGet<{ versions: ItemVersion[] }>(
    ['items', id, item.id, 'versions'],
    `${base}/items/${item.id}/versions`,
  );
  return (
    <Surface
      title={text.versions}
      text={text.versionsText}
      actions={
        <DialogButton label={text.addVersion} size="xs" variant="default" dialog={{ centered: true }}>
          {({ close }) => <AddVersion item={item} onClose={close} />}
        </DialogButton>
      }
    >
      <QueryView query={query}>
        {({ versions }) => (
          <Stack gap="md">
            {versions.map((version) => (
              <Version key={version.version} item={item} version={version} />
            ))}
          </Stack>
        )}
      </QueryView>
    </Surface>
  );
}

function Version({ item, version }: { item: Item; version: ItemVersion }) {
  const { file } = version;
  return (
    <Group justify="space-between" align="flex-start" wrap="nowrap">
      <Stack gap={2} miw={0}>
        <Group gap="xs">
          <Text size="sm" fw={550}>
            {version.version}
          </Text>
          {version.channel === 'beta' && (
            <Badge size="sm" variant="light">
              {text.channels.beta}
            </Badge>
          )}
        </Group>
        <NeededVersions version={version} />
        <Hint className="cf-break">{file ? `${file.name} · ${formatSize(file.bytes)}` : text.missing}</Hint>
        {version.notes !== '' && (
          <Text size="sm" className="cf-break" style={{ whiteSpace: 'pre-line' }}>
            {version.notes}
          </Text>
        )}
        <Hint>
          <Moment at={version.created_at} /> · {text.usedBy(version.buyers ?? 0)}
        </Hint>
      </Stack>
      <Stack gap="xs" align="flex-end">
        <UploadFile item={item} version={version} />
        {version.channel === 'beta' && <PromoteButton item={item} version={version} />}
      </Stack>
    </Group>
  );
}

/**
 * Shows the oldest versions of WordPress and PHP that work, and the newest tested version of WordPress, if
 * the seller has entered them.
 */
function NeededVersions({ version }: { version: ItemVersion }) {
  const needs = [
    version.requires && text.needs.requires(version.requires),
    version.tested && text.needs.tested(version.tested),
    version.requires_php && text.needs.php(version.requires_php),
  ].filter(Boolean);
  return needs.length > 0 && <Hint>{needs.join(' · ')}</Hint>;
}

function PromoteButton({ item, version: { version } }: { item: Item; version: ItemVersion }) {
  const { base } = useTenant();
  return (
    <ConfirmButton
      label={text.promote}
      run={() => post(`${base}/items/${item.id}/versions/${version}/promote`)}
      done={text.promoted}
      title={text.promoteTitle(version)}
      text={text.promoteText}
      button={{ size: 'xs', 'aria-label': text.promoteVersion(version) }}
    />
  );
}

export function formatSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${Math.round((bytes / 1000 ** power) * 10) / 10} ${units[power]}`;
}

function AddVersion({ item, onClose }: { item: Item; onClose: () => void }) {
  const { base } = useTenant();
  const { values, field, set } = useFields({
    version: '',
    notes: '',
    channel: 'stable',
    requires: '',
    tested: '',
    requires_php: '',
  });
  const action = useAction(() => post(`${base}/items/${item.id}/versions`, values), {
    done: text.added,
    quiet: true,
    onDone: onClose,
  });
  return (
    <ActionForm action={action} submit={text.addVersion} onCancel={onClose}>
      <TextInput
        label={text.version}
        description={text.versionHint}
        required
        data-autofocus
        {...field('version', action.error)}
      />
      <Select
        label={text.channel}
        allowDeselect={false}
        data={Object.entries(text.channels).map(([value, label]) => ({ value, label }))}
        value={values.channel}
        onChange={(channel) => channel && set('channel', channel)}
      />
      <Textarea label={text.notes} autosize minRows={3} {...field('notes', action.error)} />
      <Hint>{text.needsText}</Hint>
      <TextInput label={text.requires} placeholder="6.2" {...field('requires', action.error)} />
      <TextInput label={text.tested} placeholder="6.5" {...field('tested', action.error)} />
      <TextInput label={text.requiresPhp} placeholder="8.1" {...field('requires_php', action.error)} />
    </ActionForm>
  );
}
