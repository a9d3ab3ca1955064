-- The most connections that a process takes: their sum is compared with what the server of the database allows.
alter table server_process add column connections smallint not null default 15 check (connections > 0);
