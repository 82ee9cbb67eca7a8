-- Clients of Gumroad read how often a licence key was verified. The count has its own table, so that a
-- verification does not rewrite the row of the purchase.
create table licence_key_uses (
  workspace_id bigint not null,
  purchase_id bigint not null,
  uses bigint not null check (uses > 0),
  primary key (workspace_id, purchase_id),
  foreign key (workspace_id, purchase_id) references purchases (workspace_id, id)
);
