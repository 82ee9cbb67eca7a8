// Imports a file of sales: choose the file, assign columns, test, import, show the report.
import { Hint, PageHeader, Surface } from '@counterfoil/ui/parts/page.tsx';
import { Alert, Button, FileInput, Group, NativeSelect, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { words } from '../strings.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { ImportProgress, ImportReport } from './import-report.tsx';
import { guessMap, type Heading, readHeading } from './read-heading.ts';
import { useImport } from './use-import.ts';

const text = words.import;

export default function ImportPurchases() {
  const [file, setFile] = useState<File | null>(null);
  const [heading, setHeading] = useState<Heading>();
  const [map, setMap] = useState<Readonly<Record<string, string>>>({});
  const [update, setUpdate] = useState(false);
  const [preset, setPreset] = useState('');
  const job = useImport();
  const choose = async (chosen: File | null) => {
    setFile(chosen);
    setHeading(undefined);
    setMap({});
    setPreset('');
    job.reset();
    if (!chosen) return;
    const read = await readHeading(chosen);
    setMap(guessMap(read.columns));
    setHeading(read);
  };
  const run = (dryRun: boolean) => {
    if (!file || !heading?.format) return;
    const chosen = preset === '' ? map : {};
    void job.run({ file, heading, map: chosen, preset, update, dryRun });
  };
  const isReady = file !== null && heading?.format !== undefined && !job.isRunning;
  return (
    <>
      <PageHeader title={words.pages.importPurchases} text={text.text} />
      <Stack gap="lg" maw={900}>
        <Surface>
          <Stack>
            <FileInput
              label={text.file}
              placeholder={text.choose}
              accept=".csv,.ndjson,.jsonl"
              value={file}
              onChange={(chosen) => void choose(chosen)}
              clearable
              disabled={job.isRunning}
            />
            {heading && heading.format === undefined && <Alert color="amber">{text.wrongKind}</Alert>}
            {heading?.format === 'csv' && (
              <NativeSelect
                label={text.preset}
                description={text.presetText}
                data={text.presets}
                value={preset}
                onChange={(event) => setPreset(event.currentTarget.value)}
                disabled={job.isRunning}
              />
            )}
            <Switch
              label={text.update}
              description={text.updateText}
              checked={update}
              onChange={(event) => setUpdate(event.currentTarget.checked)}
              disabled={job.isRunning}
            />
          </Stack>
        </Surface>
        {heading?.format === 'csv' && preset === '' && (
          <ColumnChooser heading={heading} map={map} onChange={setMap} />
        )}
        <Group>
          <Button variant="default" disabled={!isReady} onClick={() => run(true)}>
            {text.dryRun}
          </Button>
          <Button disabled={!isReady} onClick={() => run(false)}>
            {words.purchases.import}
          </Button>
          <Hint size="sm">{text.dryRunText}</Hint>
        </Group>
        {job.isRunning && <ImportProgress progress={job.progress} sent={job.sent} />}
        {job.failure !== undefined && (
          <Alert color="red" title={text.failed}>
            {job.failure} {text.again}
          </Alert>
        )}
        {job.done && <ImportReport done={job.done} />}
      </Stack>
    </>
  );
}
