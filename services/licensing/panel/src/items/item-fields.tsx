// The form fields of a new or existing item.
import type { useFields } from '@counterfoil/ui/parts/action.tsx';
import { SimpleGrid, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { words } from '../strings.ts';
import type { Item } from '../wire.ts';
import type { ItemLists, ItemValues } from './item-values.ts';
import { type MediaField, UploadMedia } from './upload-media.tsx';

const { fields: text, name } = words.items;

export interface ItemFieldsProps {
  readonly form: ReturnType<typeof useFields<ItemValues>>;
  readonly lists: ItemLists;
  readonly onLists: (lists: ItemLists) => void;
  readonly kind: string;
  readonly error: unknown;
}

export function DetailFields({ form, lists, onLists, error }: ItemFieldsProps) {
  const { field } = form;
  const list = (key: 'tags' | 'options') => ({
    value: lists[key],
    onChange: (value: string[]) => onLists({ ...lists, [key]: value }),
    placeholder: text.listHint,
  });
  return (
    <Stack>
      <TextInput label={name} required maxLength={200} {...field('name', error)} />
      <Textarea label={text.description} autosize minRows={4} {...field('description', error)} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={text.category} {...field('category', error)} />
        <TextInput label={text.subCategory} {...field('sub_category', error)} />
        <TagsInput label={text.tags} {...list('tags')} />
        <TagsInput label={text.options} {...list('options')} />
        <TextInput label={text.demo} type="url" {...field('demo_link', error)} />
        <TextInput
          label={text.external}
          description={text.externalText}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...field('external_id', error)}
        />
      </SimpleGrid>
    </Stack>
  );
}

export function PriceFields({ form, error }: ItemFieldsProps) {
  const { field } = form;
  const price = (license: 'regular' | 'extended') => (
    <TextInput
      label={text[license]}
      description={text[`${license}Text`]}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      inputMode="decimal"
      {...field(license, error, `price.${license}`)}
    />
  );
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      {price('regular')}
      {price('extended')}
      <TextInput label={text.currency} maxLength={3} placeholder="USD" {...field('currency', error)} />
    </SimpleGrid>
  );
}

interface MediaFieldsProps extends ItemFieldsProps {
  /** The stored item, for which files can be uploaded. Absent for a new item. */
  readonly item?: Item;
  readonly onUploaded?: (item: Item) => void;
}

/** Shows only the fields of those previews that an item of this kind has. */
export function MediaFields({
  form,
  lists,
  onLists,
  kind,
  error,
  item,
  onUploaded = () => {},
}: MediaFieldsProps) {
  const { field } = form;
  const address = (key: keyof ItemValues) => ({ type: 'url', ...field(key, error, `media.${key}`) });
  const upload = (name: MediaField) =>
    item && <UploadMedia item={item} field={name} onUploaded={onUploaded} />;
  const single = (name: Exclude<MediaField, 'screenshots'>, label: string) => (
    <Stack gap={6}>
      <TextInput label={label} {...address(name)} />
      {upload(name)}
    </Stack>
  );
  return (
    <Stack>
      {single('thumbnail', text.thumbnail)}
      {kind !== 'audio' && single('preview_image', text.previewImage)}
      {kind === 'video' && single('preview_video', text.previewVideo)}
      {kind === 'audio' && single('preview_audio', text.previewAudio)}
      <Stack gap={6}>
        <TagsInput
          label={text.screenshots}
          placeholder={text.listHint}
          value={lists.screenshots}
          onChange={(screenshots) => onLists({ ...lists, screenshots })}
        />
        {upload('screenshots')}
      </Stack>
    </Stack>
  );
}
