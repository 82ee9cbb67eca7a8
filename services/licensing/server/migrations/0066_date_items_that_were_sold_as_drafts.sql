-- Codes of items that were never published no longer validate. A draft that was sold and has everything
-- that publishing needs counts as published since its first sale and withdrawn from the lists, where it
-- never was. A draft that lacks a picture stays a draft.
update items i
set state = 'withdrawn', published_at = sold.first_at
from (
  select p.workspace_id, p.item_id, min(p.purchased_at) as first_at
  from purchases p
  join items d on d.workspace_id = p.workspace_id and d.id = p.item_id
  where d.published_at is null
  group by p.workspace_id, p.item_id
) sold
where i.workspace_id = sold.workspace_id and i.id = sold.item_id
  and i.published_at is null
  and i.name <> '' and i.thumbnail_url <> ''
  and case i.kind
    when 'image' then i.preview_image_url <> ''
    when 'video' then i.preview_image_url <> '' and i.preview_video_url <> ''
    else i.preview_audio_url <> ''
  end;
