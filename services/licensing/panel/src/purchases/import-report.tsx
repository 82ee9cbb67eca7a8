// The progress of an import, and the report of its rows.
import { formatNumber } from '@counterfoil/ui/language.ts';
import { Hint, Surface } from '@counterfoil/ui/parts/page.tsx';

import { Rows } from '@counterfoil/ui/table/rows.tsx';
import { Alert, Button, List, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { words } from '../strings.ts';
import type { Counts, ImportDone, UnknownColumn } from './use-import.ts';

const text = words.import;

export function ImportProgress(props: { progress: (Counts & { part: number }) | undefined; sent: number }) {
  const { progress, sent } = props;
  const part = progress ? progress.part : sent;
  return (
    <Surface>
      <Stack gap="xs">
        <Progress value={part * 100} animated aria-label={text.progress} />
        <Text size="sm" role="status">
          {progress ? text.working(formatNumber(progress.read)) : text.uploading}
        </Text>
      </Stack>
    </Surface>
  );
}

/** Puts an apostrophe before a value that a spreadsheet would execute as a formula. */
const toCell = (value: string | number) => {
  const marked = /^[=+\-@\t\r]/.test(String(value)) ? `'${value}` : String(value);
  return `"${marked.replaceAll('"', '""')}"`;
};

function saveReport({ problems }: ImportDone): void {
  const rows = problems.map(({ line, field, reason }) => [line, field, reason].map(toCell).join());
  const blob = new Blob([['line,field,reason', ...rows].join('\r\n')], { type: 'text/csv' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = 'import-report.csv';
  link.click();
  URL.revokeObjectURL(link.href);
}

function describeUnknown({ column, position, second_for: field, nearest }: UnknownColumn): string {
  if (position !== undefined) return text.noHeading(position);
  if (column === '') return text.noName;
  if (field !== undefined) return text.second(column, field);
  return nearest === undefined ? column : text.meant(column, nearest);
}

export function ImportReport({ done }: { done: ImportDone }) {
  const { problems, problem_count: all } = done;
  const shown = problems.slice(0, 200);
  const moreUnknown = done.unknown_column_count - done.unknown_columns.length;
  return (
    <Stack gap="lg">
      <Surface title={done.dry_run ? text.trial : text.done}>
        <SimpleGrid cols={{ base: 2, xs: 3, md: 6 }} role="status">
          {Object.entries(done.counts).map(([name, count]) => (
            <Stack key={name} gap={0}>
              <Hint>{text.counts[name] ?? name}</Hint>
              <Text fz={20} fw={620}>
                {formatNumber(count)}
              </Text>
            </Stack>
          ))}
        </SimpleGrid>
      </Surface>
      {done.unknown_columns.length > 0 && (
        <Alert color="amber" title={text.unknown}>
          <List size="sm">
            {done.unknown_columns.map((unknown) => (
              <List.Item key={`${unknown.column} ${unknown.position}`} className="cf-break">
                {describeUnknown(unknown)}
              </List.Item>
            ))}
            {moreUnknown > 0 && <List.Item>{text.moreUnknown(moreUnknown)}</List.Item>}
          </List>
        </Alert>
      )}
      {all === 0 ? (
        <Text size="sm">{text.reportAll}</Text>
      ) : (
        <Surface
          title={text.report}
          flush
          actions={
            <Button size="xs" variant="default" onClick={() => saveReport(done)}>
              {text.saveReport}
            </Button>
          }
          {...(all > shown.length && { text: text.reportSome(shown.length, all) })}
        >
          <Rows
            label={text.report}
            rows={shown}
            rowKey={({ line, field, reason }) => `${line} ${field} ${reason}`}
            columns={[
              { title: text.line, render: ({ line }) => line },
              { title: text.field, render: ({ field }) => <span className="cf-mono">{field}</span> },
              { title: text.reason, render: ({ reason }) => reason },
            ]}
          />
        </Surface>
      )}
    </Stack>
  );
}
