// The request log: calls with the keys of the workspace, and their results.
import { formatNumber } from '@counterfoil/ui/language.ts';
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty } from '@counterfoil/ui/parts/page.tsx';
import { TablePage } from '@counterfoil/ui/table/cursor-table.tsx';
import { ChoiceFilter, toChoices, useFilters } from '@counterfoil/ui/table/filters.tsx';
import { Noted } from '@counterfoil/ui/table/rows.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Badge, Group, Stack } from '@mantine/core';
import { Waypoints } from 'lucide-react';
import { isHidden, TestBadge } from '../api-keys/key-table.tsx';
import { useKeyNames } from '../api-keys/use-api-keys.ts';
import { words } from '../strings.ts';
import type { LoggedRequest } from '../wire.ts';

const text = words.requests;
const colors: Record<number, string> = { 2: 'pine', 4: 'amber', 5: 'red' };

const Answer = ({ status }: { status: number }) => (
  <Badge color={colors[Math.floor(status / 100)] ?? 'gray'}>{status}</Badge>
);

function Reason({ request }: { request: LoggedRequest }) {
  if (request.code === undefined) return text.success;
  return (
    <Noted note={request.code} mono>
      <span>{text.reasons[request.code] ?? request.code}</span>
    </Noted>
  );
}

export default function Requests() {
  const { id, base } = useTenant();
  const { status, code, api_key_id, from_page } = useFilters().filters;
  const keyNames = useKeyNames();
  return (
    <TablePage<LoggedRequest>
      label={words.pages.requests}
      text={text.text}
      queryKey={['requests', id]}
      rowKey={(request) => request.id}
      path={`${base}/requests`}
      field="requests"
      query={{ status, code, api_key_id, from_page }}
      empty={<Empty title={text.none} text={text.noneText} icon={Waypoints} />}
      columns={[
        { title: text.when, render: (request) => <Moment at={request.at} /> },
        {
          title: text.call,
          render: ({ method, route }) => <span className="cf-mono cf-break">{`${method} ${route}`}</span>,
        },
        { title: text.status, render: ({ status: http }) => <Answer status={http} /> },
        { title: text.reason, render: (request) => <Reason request={request} /> },
        { title: text.code, render: (request) => <span className="cf-mono">{request.code_hint}</span> },
        {
          title: text.key,
          render: (request) => (
            <Group gap={6}>
              {keyNames.get(request.api_key_id) ?? request.api_key_id}
              {request.mode === 'test' && <TestBadge />}
            </Group>
          ),
        },
        {
          title: text.from,
          render: ({ address, page_origin }) => (
            <Stack gap={2}>
              <span className="cf-mono">{address}</span>
              {page_origin !== undefined && (
                <Badge color="red" title={isHidden(page_origin) ? words.keys.hiddenPage : page_origin}>
                  {text.onPage}
                </Badge>
              )}
            </Stack>
          ),
        },
        {
          title: text.took,
          align: 'right',
          render: (request) => text.milliseconds(formatNumber(request.duration_ms)),
        },
      ]}
    >
      <ChoiceFilter name="status" label={words.requests.status} choices={toChoices(text.classes)} />
      <ChoiceFilter name="code" label={words.requests.reason} choices={toChoices(text.reasons)} width={240} />
      <ChoiceFilter
        name="api_key_id"
        label={text.key}
        choices={[...keyNames].map(([key, name]) => ({ value: String(key), label: name }))}
      />
      <ChoiceFilter
        name="from_page"
        label={text.pages}
        choices={[{ value: 'true', label: text.onlyPages }]}
        width={240}
      />
    </TablePage>
  );
}
