// An item as those who manage it see it: the public record, and what is theirs alone.
import { Type } from 'typebox';
import { presentTime } from '../present-time.ts';
import { type Item, ItemAnswer, itemKinds, itemStates, presentItem } from './item.ts';

export const ManagedItem = Type.Object({
  ...ItemAnswer.properties,
  external_id: Type.String(),
  kind: Type.Enum([...itemKinds]),
  state: Type.Enum([...itemStates]),
  published_at: Type.String({ description: 'The first time; "" before.' }),
  created_at: Type.String(),
  updated_at: Type.String(),
});

export const presentManagedItem = (item: Item) => ({
  ...presentItem(item),
  external_id: item.externalId ?? '',
  kind: item.kind,
  state: item.state,
  created_at: presentTime(item.createdAt),
  updated_at: presentTime(item.updatedAt),
});
