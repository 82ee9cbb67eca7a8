// The table of keys: scopes, last use, expiry and actions.
import { formatMoment, Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Hint } from '@counterfoil/ui/parts/page.tsx';
import { Noted, Rows } from '@counterfoil/ui/table/rows.tsx';
import { Badge, Group, Stack, Text } from '@mantine/core';
import { ItemName } from '../items/item-names.tsx';
import { words } from '../strings.ts';
import type { ApiKey } from '../wire.ts';
import { KeyActions } from './key-actions.tsx';

const text = words.keys;

const colorOf = (key: ApiKey) =>
  key.state === 'active' ? (key.replaced_by === undefined ? 'pine' : 'amber') : 'gray';

const labelOf = (key: ApiKey) =>
  key.state === 'active' && key.replaced_by !== undefined ? text.replaced : text.states[key.state];

/**
 * Whether the browser hid the origin of a page. Browsers send `null` as the origin of pages such as a
 * sandboxed frame or a local file.
 */
export const isHidden = (origin: string): boolean => origin === 'null';

function warnOfPage({ origin, at }: NonNullable<ApiKey['seen_on_page']>): string {
  const time = formatMoment(at);
  return isHidden(origin) ? text.onHiddenPage(time) : text.onPage(origin, time);
}

export function KeyTable({ keys }: { keys: readonly ApiKey[] }) {
  return (
    <Rows
      label={text.list}
      rows={keys}
      rowKey={({ id }) => id}
      columns={[
        { title: text.name, render: (key) => <Name apiKey={key} /> },
        { title: text.kind, render: (key) => <Kind apiKey={key} /> },
        { title: text.lastUsed, render: (key) => <LastUse apiKey={key} /> },
        {
          title: text.expires,
          render: (key) => (key.expires_at ? <Moment at={key.expires_at} /> : words.never),
        },
        { title: text.actions, quiet: true, render: (key) => <KeyActions apiKey={key} /> },
      ]}
    />
  );
}

function Name({ apiKey: key }: { apiKey: ApiKey }) {
  return (
    <Stack gap={2}>
      <Group gap={6}>
        <Text size="sm" fw={550} className="cf-break">
          {key.name}
        </Text>
        <Badge color={colorOf(key)}>{labelOf(key)}</Badge>
        {key.mode === 'test' && <TestBadge />}
        {key.legacy_item && <Badge color="gray">{text.legacy}</Badge>}
      </Group>
      <Hint className="cf-mono">{key.hint}</Hint>
      {key.seen_on_page && key.state === 'active' && (
        <Text size="xs" c="var(--mantine-color-error)" maw={320} className="cf-break">
          {warnOfPage(key.seen_on_page)}
        </Text>
      )}
    </Stack>
  );
}

export const TestBadge = () => <Badge variant="default">{text.test}</Badge>;

function Kind({ apiKey: key }: { apiKey: ApiKey }) {
  return (
    <Noted note={<Rights apiKey={key} />} maw={300}>
      <span>{key.kind === 'secret' ? text.secret : text.publishable}</span>
    </Noted>
  );
}

function Rights({ apiKey: { item_id, mode, scopes } }: { apiKey: ApiKey }) {
  if (item_id === undefined) return scopes.map((scope) => text.scopeNames[scope] ?? scope).join(', ');
  return mode === 'test' ? text.testItem : <ItemName id={item_id} />;
}

export function LastUse({ apiKey: key }: { apiKey: ApiKey }) {
  if (!key.last_used) return <Text size="sm">{text.neverUsed}</Text>;
  return (
    <Noted note={text.usedFrom(key.last_used.address)} mono>
      <Moment at={key.last_used.at} />
    </Noted>
  );
}
