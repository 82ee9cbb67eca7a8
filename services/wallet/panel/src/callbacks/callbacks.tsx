// Callbacks of the provider: first deliveries, repeats and refusals, and the calls of connected providers.
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty, Hint, PageHeader, Surface } from '@counterfoil/ui/parts/page.tsx';
import { CursorTable } from '@counterfoil/ui/table/cursor-table.tsx';
import { TextFilter, useFilters } from '@counterfoil/ui/table/filters.tsx';
import { type Column, Noted } from '@counterfoil/ui/table/rows.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Badge, Group, SegmentedControl } from '@mantine/core';
import { Webhook } from 'lucide-react';
import { movementColumns, PlayerLink } from '../ledger/movements.tsx';
import { useSettings } from '../package.ts';
import { formatKind } from '../parts/badges.tsx';
import { paths } from '../paths.ts';
import { CallTable } from '../providers/connection-calls.tsx';
import { words } from '../strings.ts';
import type { CallbackLine, Movement } from '../wire.ts';
import { ReplayButton } from './replay.tsx';

const text = words.callbacks;

const shown = ['delivered', 'refused', 'connections'] as const;

export default function Callbacks() {
  const { id, base } = useTenant();
  const { filters, set } = useFilters();
  const show = shown.find((each) => each === filters.show) ?? 'delivered';
  return (
    <>
      <PageHeader title={words.pages.callbacks} text={text.text} />
      <Surface flush>
        <Group p="sm" gap="sm">
          <SegmentedControl
            aria-label={text.which}
            data={[
              { value: 'delivered', label: text.delivered },
              { value: 'refused', label: text.refused },
              { value: 'connections', label: text.ofConnections },
            ]}
            value={show}
            onChange={(chosen) => set({ show: chosen === 'delivered' ? undefined : chosen })}
          />
          <TextFilter name="player_id" label={words.ledger.playerFilter} width={190} />
          {show !== 'delivered' && <TextFilter name="transaction_id" label={text.byId} width={220} />}
        </Group>
        {show === 'delivered' && <Delivered />}
        {show === 'refused' && <Refused />}
        {show === 'connections' && (
          <CallTable path={`${base}/provider-calls`} queryKey={['provider-calls', id]} />
        )}
      </Surface>
    </>
  );
}

/**
 * Whether a movement can be replayed as a callback. No callback moves promo money, and no callback causes a
 * `win_reversal`, so these movements cannot be replayed.
 */
const canReplay = ({ purse, kind }: Movement): boolean => purse === undefined && kind !== 'win_reversal';

const withReplay: readonly Column<Movement>[] = [
  ...movementColumns,
  {
    title: text.replay,
    quiet: true,
    render: (movement) => canReplay(movement) && <ReplayButton movement={movement} />,
  },
];

/** Whether callbacks can be replayed: the package has a sandbox or is a sandbox. Undefined while loading. */
function useHasSandbox(): boolean | undefined {
  const found = useSettings().data?.package;
  return found && (found.sandbox || found.sandbox_id !== null);
}

/** Explains how to create the sandbox that a replay needs. */
function NoSandbox() {
  const { isOwner, to } = useTenant();
  return (
    <Hint size="sm" px="sm" pb="sm">
      {isOwner ? text.noSandbox : text.askOwner}{' '}
      {isOwner && (
        <PanelLink to={to(paths.credentials)} fz="sm" underline="always">
          {text.toCredentials}
        </PanelLink>
      )}
    </Hint>
  );
}

function Delivered() {
  const { id, base } = useTenant();
  const { player_id } = useFilters().filters;
  const hasSandbox = useHasSandbox();
  return (
    <>
      {hasSandbox === false && <NoSandbox />}
      <CursorTable<Movement>
        label={text.delivered}
        queryKey={['journal', id, 'callbacks']}
        rowKey={(each) => each.sequence}
        path={`${base}/journal`}
        field="movements"
        query={{ limit: 25, kind: 'callbacks', player_id }}
        empty={<Empty title={text.none} text={text.noneText} icon={Webhook} />}
        columns={hasSandbox ? withReplay : movementColumns}
      />
    </>
  );
}

function Refused() {
  const { id, base, to } = useTenant();
  const { player_id, transaction_id } = useFilters().filters;
  return (
    <CursorTable<CallbackLine>
      label={text.refused}
      queryKey={['callbacks', id]}
      fixed={['show']}
      rowKey={(line) => line.id}
      path={`${base}/callbacks`}
      field="callbacks"
      query={{ player_id, transaction_id }}
      empty={<Empty title={text.noneRefused} text={text.noneRefusedText} icon={Webhook} />}
      columns={[
        { title: words.ledger.when, render: (line) => <Moment at={line.at} /> },
        { title: words.ledger.result, render: (line) => <Outcome line={line} /> },
        {
          title: words.ledger.transaction,
          render: ({ transaction_id: transaction }) =>
            transaction && (
              <PanelLink to={to(paths.transactions, { id: transaction })} className="cf-mono cf-break">
                {transaction}
              </PanelLink>
            ),
        },
        {
          title: words.pages.player,
          render: (line) => line.player_id && <PlayerLink playerId={line.player_id} />,
        },
        { title: text.from, render: (line) => <span className="cf-mono">{line.address}</span> },
      ]}
    />
  );
}

const codes: Record<string, string> = words.refusals;

function Outcome({ line }: { line: CallbackLine }) {
  const { outcome, action, code, attempts, field } = line;
  const facts = [action && formatKind(action), code && (codes[code] ?? code), field];
  return (
    <Noted note={facts.filter(Boolean).join(' · ')} maw={280}>
      <Group gap={6}>
        <Badge color={outcome === 'repeated' ? 'gray' : 'red'}>{words.inspector.outcomes[outcome]}</Badge>
        {attempts > 1 && <Badge variant="default">{words.inspector.times(attempts)}</Badge>}
      </Group>
    </Noted>
  );
}
