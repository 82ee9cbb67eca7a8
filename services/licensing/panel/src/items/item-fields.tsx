// The form fields of a new or existing item.
import type { useFields } from '@counterfoil/ui/parts/action.tsx';
import { SimpleGrid, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { words } from '../strings.ts';
import type { ItemLists, ItemValues } from './item-values.ts';

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

/** Shows only the fields of those previews that an item of this kind has. */
export function MediaFields({ form, lists, onLists, kind, error }: ItemFieldsProps) {
  const { field } = form;
  const address = (key: keyof ItemValues) => ({ type: 'url', ...field(key, error, `media.${key}`) });
  return (
    <Stack>
      <TextInput label={text.thumbnail} {...address('thumbnail')} />
      {kind !== 'audio' && <TextInput label={text.previewImage} {...address('preview_image')} />}
      {kind === 'video' && <TextInput label={text.previewVideo} {...address('preview_video')} />}
      {kind === 'audio' && <TextInput label={text.previewAudio} {...address('preview_audio')} />}
      <TagsInput
        label={text.screenshots}
        placeholder={text.listHint}
        value={lists.screenshots}
        onChange={(screenshots) => onLists({ ...lists, screenshots })}
      />
    </Stack>
  );
}
