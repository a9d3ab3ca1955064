-- The file of a vehicle's paper. Removing the paper removes its file, whose bytes the file check deletes.
alter table transport_vehicle_document add column file_id uuid references file;
create index on transport_vehicle_document (file_id);

create function transport_remove_paper() returns trigger language plpgsql as $$
begin
  perform file_remove(old.file_id);
  return null;
end $$;
create trigger paper_gone after delete on transport_vehicle_document for each row when (old.file_id is not null)
  execute function transport_remove_paper();
