-- Limits must hold after a crash of the database too, which empties an unlogged table.
alter table attempt set logged;
-- Counting changes rows over and over: half a page stays free for their new versions.
alter table attempt set (fillfactor = 50);
