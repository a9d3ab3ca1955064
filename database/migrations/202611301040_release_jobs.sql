-- Whether a process also sends messages, seals and backs up: where none does, Admins are warned.
alter table server_process add column does_jobs boolean not null default true;
