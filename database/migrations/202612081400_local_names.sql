-- Names as the general register writes them in Gujarati or Hindi, beside those in English letters. Both find their owner.

alter table student
  add column first_name_local text not null default '' check (length(first_name_local) <= 50),
  add column middle_name_local text not null default '' check (length(middle_name_local) <= 50),
  add column last_name_local text not null default '' check (length(last_name_local) <= 50),
  add column birth_place_local text not null default '' check (length(birth_place_local) <= 100);
alter table student alter column search_key set expression as
  (name_key(first_name || ' ' || middle_name || ' ' || last_name || ' ' || gr_no || ' ' ||
    first_name_local || ' ' || middle_name_local || ' ' || last_name_local));

alter table guardian
  add column first_name_local text not null default '' check (length(first_name_local) <= 50),
  add column middle_name_local text not null default '' check (length(middle_name_local) <= 50),
  add column last_name_local text not null default '' check (length(last_name_local) <= 50);
alter table guardian alter column search_key set expression as
  (name_key(first_name || ' ' || middle_name || ' ' || last_name || ' ' ||
    first_name_local || ' ' || middle_name_local || ' ' || last_name_local));
