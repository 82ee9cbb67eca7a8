// Uploads images, audio and video of an item, chosen with a button or dropped on it, and shows the progress.
import { ApiProblem, describeProblem } from '@counterfoil/ui/api/problem.ts';
import { sendFile } from '@counterfoil/ui/api/send-file.ts';
import { formatNumber } from '@counterfoil/ui/language.ts';
import { useAction } from '@counterfoil/ui/parts/action.tsx';
import { Hint } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Box, Button, FileButton, Group, Progress, Stack, Text, VisuallyHidden } from '@mantine/core';
import { Upload } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { words } from '../strings.ts';
import type { Item } from '../wire.ts';
import { formatSize } from './item-versions.tsx';

const { mediaUpload: text, fields: labels } = words.items;

const kinds = {
  thumbnail: 'image',
  preview_image: 'image',
  preview_video: 'video',
  preview_audio: 'audio',
  screenshots: 'image',
} as const;

export type MediaField = keyof typeof kinds;

/** The types that the file dialog offers. The service checks the content of the file. */
const types = {
  image: 'image/jpeg,image/png,image/webp',
  audio: 'audio/mpeg,audio/wav,audio/mp4,.m4a',
  video: 'video/mp4',
};

const names: Record<MediaField, string> = {
  thumbnail: labels.thumbnail,
  preview_image: labels.previewImage,
  preview_video: labels.previewVideo,
  preview_audio: labels.previewAudio,
  screenshots: labels.screenshots,
};

interface UploadMediaProps {
  readonly item: Item;
  readonly field: MediaField;
  readonly onUploaded: (item: Item) => void;
}

export function UploadMedia({ item, field, onUploaded }: UploadMediaProps) {
  const { base } = useTenant();
  const [part, setPart] = useState(0);
  const [isOver, setIsOver] = useState(false);
  const reset = useRef<() => void>(null);
  const kind = kinds[field];
  const isList = field === 'screenshots';
  const send = async (file: File) => {
    setPart(0);
    const sent = { method: 'PUT', file, type: 'application/octet-stream', onSent: setPart } as const;
    const answer = await sendFile(`${base}/items/${item.id}/media/${field}`, sent);
    onUploaded((JSON.parse(answer) as { data: { item: Item } }).data.item);
  };
  const action = useAction(
    async (files: readonly File[]) => {
      if (files.length > 1 && !isList) throw new TooManyFiles();
      for (const file of files) await send(file);
    },
    { done: text.uploaded, refresh: ['items', 'audit'], quiet: true },
  );
  const start = (files: readonly File[]) => {
    reset.current?.();
    if (files.length > 0 && !action.isPending) action.mutate(files);
  };
  const drop = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setIsOver(false);
      start([...event.dataTransfer.files]);
    },
  };
  return (
    <Box className="cf-drop" data-over={isOver || undefined} {...drop}>
      <Stack gap={6}>
        <Group gap="xs">
          <FileButton
            resetRef={reset}
            accept={types[kind]}
            multiple={isList}
            onChange={(chosen: File | File[] | null) => start(chosen ? [chosen].flat() : [])}
          >
            {(props) => (
              <Button
                {...props}
                size="xs"
                variant="default"
                loading={action.isPending}
                leftSection={<Upload size={14} aria-hidden />}
              >
                {isList ? text.chooseMany : text.choose}
                <VisuallyHidden>{` ${names[field]}`}</VisuallyHidden>
              </Button>
            )}
          </FileButton>
          <Hint>{text.hints[kind]}</Hint>
        </Group>
        {action.isPending && (
          <Progress value={part * 100} size="sm" aria-label={text.progress(names[field])} />
        )}
        {action.error !== null && (
          <Text size="sm" c="red" role="alert" className="cf-break">
            {describeUpload(action.error, kind)}
          </Text>
        )}
      </Stack>
    </Box>
  );
}

class TooManyFiles extends Error {}

/** Says why a file was not accepted, and what to do. */
function describeUpload(error: unknown, kind: 'image' | 'audio' | 'video'): string {
  if (error instanceof TooManyFiles) return text.oneFile;
  if (!(error instanceof ApiProblem)) return text.broken;
  const { max_bytes: maxBytes, max_pixels: maxPixels, max_side: maxSide, of } = error.data;
  switch (error.code) {
    case 'media_type_refused':
      return text.wrongType[kind];
    case 'media_damaged':
      return text.damaged;
    case 'media_too_many_pixels':
      return text.tooManyPixels(Number(maxPixels) / 1_000_000, formatNumber(Number(maxSide)));
    case 'body_too_large':
      return maxBytes === undefined ? text.tooLarge : text.largerThan(formatSize(Number(maxBytes)));
    case 'media_limit_reached':
      return text.full[of as 'item' | 'workspace' | 'screenshots'] ?? describeProblem(error);
    case 'invalid_body':
      return text.empty;
    default:
      return describeProblem(error);
  }
}
