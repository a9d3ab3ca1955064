-- Prices that were copied from those of an earlier year.
alter table fee_structure add column copied_from_id integer references fee_structure;
create index on fee_structure (copied_from_id);
