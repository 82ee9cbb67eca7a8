-- A secret key that a web page sends is public. The origin of such a request is stored with the key and in
-- the request log.

alter table api_key_uses
  add column page_origin text not null default '',
  add column page_seen_at timestamptz,
  add check ((page_seen_at is null) = (page_origin = ''));

-- The Origin of a request with a secret key; empty for every other request.
alter table request_log add column page_origin text not null default '';
