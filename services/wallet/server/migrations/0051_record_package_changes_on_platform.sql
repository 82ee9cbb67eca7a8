-- The platform's log (package 0) repeats every change that an administrator, an admin token or the operator
-- made in a package. This column names that package; it is null for changes of the platform itself.
alter table audit_log add column about_package_id integer;
