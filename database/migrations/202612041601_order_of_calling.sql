-- Each adult of a child has a place of its own in the order of calling, without a gap; the one who is called first has the
-- first place. Who gets a place of another one moves the others on.
alter table student_guardian drop constraint student_guardian_contact_order_check;
update student_guardian link set contact_order = placed.place
from (select id, row_number() over (partition by student_id order by is_primary desc, contact_order, id) as place
  from student_guardian) placed
where placed.id = link.id and placed.place <> link.contact_order;
-- The deferred triggers of these rows have fired before their table is altered.
set constraints all immediate;
set constraints all deferred;
alter table student_guardian add constraint student_guardian_contact_order_check check (contact_order between 1 and 99),
  add constraint student_guardian_order unique (student_id, contact_order) deferrable initially deferred;

-- Of equal places the row that moves there comes before the others, or after them where it moves back. Rows of the act itself
-- have the version of that act.
create function student_guardian_place(students integer[], own integer[], forward integer[], back integer[]) returns void
language sql as $$
  update student_guardian link
  set contact_order = placed.place, version = version + case when link.id = any(own) then 0 else 1 end
  from (select id, row_number() over (partition by student_id order by is_primary desc, contact_order,
      case when id = any(forward) then 0 when id = any(back) then 2 else 1 end, id) as place
    from student_guardian where student_id = any(students)) placed
  where placed.id = link.id and placed.place <> link.contact_order
$$;

create function student_guardian_placed() returns trigger language plpgsql as $$
declare
  students integer[];
  own integer[];
  forward integer[];
  back integer[];
begin
  if tg_op = 'INSERT' then
    select array_agg(student_id), array_agg(id), array_agg(id), '{}' into students, own, forward, back from added;
  elsif tg_op = 'DELETE' then
    select array_agg(student_id), '{}', '{}', '{}' into students, own, forward, back from gone;
  else
    select array_agg(added.student_id) || array_agg(gone.student_id), array_agg(id),
      array_agg(id) filter (where added.student_id <> gone.student_id or added.contact_order < gone.contact_order),
      array_agg(id) filter (where added.student_id = gone.student_id and added.contact_order > gone.contact_order)
    into students, own, forward, back from added join gone using (id);
  end if;
  if students is not null then perform student_guardian_place(students, own, forward, back); end if;
  return null;
end $$;

create trigger student_guardian_placed_insert after insert on student_guardian referencing new table as added
  for each statement when (pg_trigger_depth() = 0) execute function student_guardian_placed();
create trigger student_guardian_placed_update after update on student_guardian
  referencing old table as gone new table as added
  for each statement when (pg_trigger_depth() = 0) execute function student_guardian_placed();
create trigger student_guardian_placed_delete after delete on student_guardian referencing old table as gone
  for each statement when (pg_trigger_depth() = 0) execute function student_guardian_placed();
