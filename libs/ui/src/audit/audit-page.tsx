// The audit log: the time, the actor, the change, and the actor's IP address of each entry.
import { Group } from '@mantine/core';
import { ScrollText } from 'lucide-react';
import type { ReactNode } from 'react';
import { Moment } from '../parts/moment.tsx';
import { Empty, PageHeader, Surface } from '../parts/page.tsx';
import { words } from '../strings.ts';
import { CursorTable } from '../table/cursor-table.tsx';
import { TextFilter, useFilters } from '../table/filters.tsx';
import { Noted } from '../table/rows.tsx';
import { useTenant } from '../tenant.ts';

interface Entry {
  readonly id: number;
  readonly package?: { readonly id: number; readonly uid: string };
  readonly at: string;
  readonly actor: { readonly kind: string; readonly id?: number; readonly name?: string };
  readonly address: string | null;
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: string };
  readonly details: Readonly<Record<string, unknown>>;
}

const readable = (text: string) => text.replaceAll('_', ' ');

function describeActor({ kind, id = 0, name }: Entry['actor']): string {
  if (name !== undefined) return name;
  if (kind === 'person') return words.audit.person(id);
  if (kind === 'api_key') return words.audit.key(id);
  if (kind === 'buyer') return words.audit.buyer;
  return kind === 'operator' ? words.audit.operator : `${readable(kind)} ${id || ''}`;
}

const describeDetails = (details: Entry['details']): string =>
  Object.entries(details)
    .map(([name, value]) => `${readable(name)}: ${describeValue(value)}`)
    .join(' · ');

function describeValue(value: unknown): string {
  if (typeof value === 'string') return value;
  const isChange = typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
  if (isChange) return `${describeValue(value.from)} → ${describeValue(value.to)}`;
  return JSON.stringify(value) ?? '';
}

interface AuditTableProps {
  readonly path: string;
  /** If set, the table has an additional column, with the package in which the change was made. */
  readonly renderPackage?: (changed: NonNullable<Entry['package']>) => ReactNode;
}

export default function TenantAuditPage() {
  return <AuditPage path={`${useTenant().base}/audit-log`} />;
}

export function AuditPage({ text = words.audit.text, ...table }: AuditTableProps & { text?: string }) {
  return (
    <>
      <PageHeader title={words.audit.title} text={text} />
      <Surface flush>
        <AuditTable {...table} />
      </Surface>
    </>
  );
}

export function AuditTable({ path, renderPackage }: AuditTableProps) {
  const { filters } = useFilters();
  // People type the displayed name of an action: “Role changed” becomes role_changed.
  const asked = filters.action?.toLowerCase().replaceAll(' ', '_') ?? '';
  const action = /^[a-z_]{1,64}$/.test(asked) ? asked : undefined;
  return (
    <>
      <Group p="sm">
        <TextFilter name="action" label={words.audit.filterHint} />
      </Group>
      <CursorTable<Entry>
        label={words.audit.title}
        queryKey={['audit', path]}
        rowKey={(entry) => entry.id}
        path={path}
        field="entries"
        query={{ action }}
        empty={<Empty title={words.audit.none} text={words.audit.noneText} icon={ScrollText} />}
        columns={[
          { title: words.audit.when, render: (entry) => <Moment at={entry.at} /> },
          { title: words.audit.who, render: (entry) => describeActor(entry.actor) },
          {
            title: words.audit.action,
            render: (entry) => (
              <Noted note={describeDetails(entry.details)} maw={420}>
                {readable(entry.action)}
              </Noted>
            ),
          },
          ...(renderPackage
            ? [
                {
                  title: words.audit.package,
                  render: (entry: Entry) => entry.package && renderPackage(entry.package),
                },
              ]
            : []),
          { title: words.audit.subject, render: ({ subject }) => `${readable(subject.kind)} ${subject.id}` },
          {
            title: words.account.address,
            render: (entry) => <span className="cf-mono">{entry.address}</span>,
          },
        ]}
      />
    </>
  );
}
