-- Its statistics tell how many have a birthday in a month; without them the list reads the place of all.
create index on student (extract(month from birth_date));
