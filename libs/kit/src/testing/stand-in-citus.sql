-- Simulates Citus in a test database: the simulated functions record each call and distribute no rows.
set allow_system_table_mods = on;
insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
values (999999, 'citus', 10, 'public'::regnamespace, false, 'stand-in');

create schema stand_in;
create table stand_in.calls (place serial, table_name regclass, kind text, column_name text, beside text);

create function create_reference_table(given regclass) returns void language sql as
  $$ insert into stand_in.calls (table_name, kind) values (given, 'reference') $$;

create function create_distributed_table(given regclass, column_name text, colocate_with text default 'default')
returns void language plpgsql as $$
begin
  if exists (select from pg_constraint where contype = 'f' and given in (conrelid, confrelid)) then
    raise exception '% has foreign keys while it is moved', given;
  end if;
  insert into stand_in.calls (table_name, kind, column_name, beside)
  values (given, 'distributed', column_name, colocate_with);
end
$$;

create view citus_tables as
  select table_name, kind as citus_table_type, coalesce(column_name, '<none>') as distribution_column,
    case kind when 'reference' then 1 else 2 end as colocation_id
  from stand_in.calls;
