// Publishes or withdraws an item.
import { describeProblem, isProblem } from '@counterfoil/ui/api/problem.ts';
import { post } from '@counterfoil/ui/api/request.ts';
import { ActionButton, useAction } from '@counterfoil/ui/parts/action.tsx';
import { ConfirmButton } from '@counterfoil/ui/parts/confirm-dialog.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { List, Modal, Stack, Text } from '@mantine/core';
import { words } from '../strings.ts';
import type { Item } from '../wire.ts';

const text = words.items;

export function PublishButton({ item }: { item: Item }) {
  const { base } = useTenant();
  const action = useAction(() => post(`${base}/items/${item.id}/publish`), {
    done: text.published,
    quiet: true,
  });
  return (
    <>
      <ActionButton action={action} label={text.publish} />
      <Modal opened={action.isError} onClose={action.reset} title={text.notPublished} centered>
        {action.isError && <Refusal error={action.error} />}
      </Modal>
    </>
  );
}

const { fields } = text;
const labels: Readonly<Record<string, string>> = {
  name: text.name,
  'media.thumbnail': fields.thumbnail,
  'media.preview_image': fields.previewImage,
  'media.preview_video': fields.previewVideo,
  'media.preview_audio': fields.previewAudio,
};

/** Shows why the item was not published: the labels of the missing fields, or the error. */
function Refusal({ error }: { error: unknown }) {
  if (!isProblem(error, 'item_incomplete')) return <Text size="sm">{describeProblem(error)}</Text>;
  return (
    <Stack gap="xs">
      <Text size="sm">{text.incomplete}</Text>
      <List size="sm">
        {Object.keys(error.errors).map((field) => (
          <List.Item key={field}>{labels[field] ?? field}</List.Item>
        ))}
      </List>
    </Stack>
  );
}

export function WithdrawButton({ item }: { item: Item }) {
  const { base } = useTenant();
  return (
    <ConfirmButton
      label={text.withdraw}
      run={() => post(`${base}/items/${item.id}/withdraw`)}
      done={text.withdrawn}
      title={text.withdrawTitle}
      text={text.withdrawText}
      danger
    />
  );
}
