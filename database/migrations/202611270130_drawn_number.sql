-- A series without gaps may not be raised manually within a period whose numbers were issued.

alter table number_series_value add column is_drawn boolean not null default false;
update number_series_value set is_drawn = next_value > 1;
