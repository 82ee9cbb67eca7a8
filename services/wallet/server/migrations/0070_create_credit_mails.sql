-- Owners get a mail when their package's credit runs low: the alert level that was last seen, per package.
create table credit_mails (
  package_id int primary key references packages (id),
  level text
);
