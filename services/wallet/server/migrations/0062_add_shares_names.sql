-- References and transaction ids of Valkyrie are two name spaces. Existing connections keep their single name
-- space, because the keys of stored transactions must not change. Old processes insert connections with the
-- default, which is the name space that they use.
alter table provider_connections add column shares_names boolean not null default true;
