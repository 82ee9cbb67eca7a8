-- The version that came with an imported item counts as released when the item was published. Before, the time
-- of the import was recorded, so that old purchases included no version.
update item_versions v set created_at = i.published_at
from items i
where i.workspace_id = v.workspace_id and i.id = v.item_id
  and v.created_at = i.created_at and i.published_at < i.created_at;
