// Uploads the file of a version and shows the progress.
import { sendFile } from '@counterfoil/ui/api/send-file.ts';
import { useAction } from '@counterfoil/ui/parts/action.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Button, FileButton, Progress, Stack, VisuallyHidden } from '@mantine/core';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { words } from '../strings.ts';
import type { Item, ItemVersion } from '../wire.ts';

const text = words.items;

export function UploadFile({ item, version }: { item: Item; version: ItemVersion }) {
  const { base } = useTenant();
  const [part, setPart] = useState(0);
  const action = useAction(
    (file: File) =>
      sendFile(`${base}/items/${item.id}/versions/${version.version}/file`, {
        method: 'PUT',
        file,
        type: 'application/octet-stream',
        query: { file_name: file.name },
        onSent: setPart,
      }),
    { done: text.uploaded, refresh: ['items', 'audit'] },
  );
  const verb = version.file ? text.replace : text.upload;
  return (
    <Stack gap={4}>
      <FileButton onChange={(file) => file && action.mutate(file)}>
        {(props) => (
          <Button
            {...props}
            size="xs"
            variant="default"
            loading={action.isPending}
            leftSection={<Upload size={14} aria-hidden />}
          >
            {verb}
            <VisuallyHidden>{text.fileOf(version.version)}</VisuallyHidden>
          </Button>
        )}
      </FileButton>
      {action.isPending && (
        <Progress value={part * 100} size="sm" aria-label={`${verb}${text.fileOf(version.version)}`} />
      )}
    </Stack>
  );
}
