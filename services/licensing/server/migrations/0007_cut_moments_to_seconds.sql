-- Moments are shown and compared to the second; a fraction made an export differ from what it was made of.

update items set published_at = date_trunc('second', published_at)
where published_at <> date_trunc('second', published_at);

update purchases set purchased_at = date_trunc('second', purchased_at),
  supported_until = date_trunc('second', supported_until)
where purchased_at <> date_trunc('second', purchased_at)
  or supported_until <> date_trunc('second', supported_until);
