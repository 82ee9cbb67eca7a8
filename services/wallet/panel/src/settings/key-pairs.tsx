// The table of key pairs: purpose, state, last use, actions.
import { post } from '@counterfoil/ui/api/request.ts';
import { CopyButton } from '@counterfoil/ui/parts/code-block.tsx';
import { ConfirmButton } from '@counterfoil/ui/parts/confirm-dialog.tsx';
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Hint } from '@counterfoil/ui/parts/page.tsx';
import { SecretReveal } from '@counterfoil/ui/parts/secret-reveal.tsx';
import { Noted, Rows } from '@counterfoil/ui/table/rows.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Badge, Group } from '@mantine/core';
import { words } from '../strings.ts';
import type { KeyPair } from '../wire.ts';

const text = words.credentials;
const colors = { active: 'pine', retiring: 'amber', expired: 'gray', revoked: 'gray' } as const;

export function KeyPairs({ pairs }: { pairs: readonly KeyPair[] }) {
  return (
    <Rows
      label={text.pairs}
      rows={pairs}
      rowKey={({ id }) => id}
      columns={[
        {
          title: text.purpose,
          render: ({ purpose }) => (
            <Noted note={text.purposeTexts[purpose]} maw={260}>
              {text.purposes[purpose]}
            </Noted>
          ),
        },
        {
          title: text.key,
          render: (pair) => (
            <Group gap="xs">
              <span className="cf-mono cf-break">{pair.api_key}</span>
              <CopyButton value={pair.api_key} size="compact-xs" />
            </Group>
          ),
        },
        { title: text.state, render: (pair) => <State pair={pair} /> },
        { title: text.made, render: (pair) => <Moment at={pair.created_at} /> },
        { title: text.used, render: ({ last_used_at: at }) => (at ? <Moment at={at} /> : words.never) },
        { title: text.actions, quiet: true, render: (pair) => <Actions pair={pair} /> },
      ]}
    />
  );
}

function State({ pair }: { pair: KeyPair }) {
  return (
    <Group gap={6}>
      <Badge color={colors[pair.state]}>{text.states[pair.state]}</Badge>
      {pair.state === 'retiring' && pair.expires_at && (
        <Hint>
          {text.until} <Moment at={pair.expires_at} />
        </Hint>
      )}
    </Group>
  );
}

function Actions({ pair }: { pair: KeyPair }) {
  const { base, isOwner } = useTenant();
  const isLive = pair.state === 'active' || pair.state === 'retiring';
  if (!isOwner || !isLive) return null;
  return (
    <Group gap="xs" display="inline-flex" wrap="nowrap">
      {pair.purpose === 'callback' && (
        <SecretReveal label={text.secret} path={`${base}/key-pairs/${pair.id}/reveal`} field="api_secret" />
      )}
      <RevokeButton pair={pair} />
    </Group>
  );
}

function RevokeButton({ pair }: { pair: KeyPair }) {
  const { base } = useTenant();
  const title = text.revokeOf(pair.api_key);
  return (
    <ConfirmButton
      label={text.revoke}
      button={{ size: 'xs', 'aria-label': title }}
      run={() => post(`${base}/key-pairs/${pair.id}/revoke`)}
      done={text.revoked}
      title={title}
      text={text.revokeText}
      typed={pair.api_key.slice(-4)}
      danger
    />
  );
}
