-- A corrected result: of a closed year it waits for the principal, one at a time. The request is a column of the approval, as of
-- every other kind.
alter table student_result_change drop column approval_id;
alter table student_result_change
  add column outcome text check (outcome in ('Rejected', 'Withdrawn')),
  -- What the preview said follows from it, in words.
  add column effect jsonb not null default '[]',
  add constraint student_result_change_ends_once check (applied_at is null or outcome is null);
create unique index student_result_change_waits on student_result_change (enrollment_id)
  where applied_at is null and outcome is null;
grant update (outcome, effect) on student_result_change to shala_app;

alter table approval add column student_result_change_id integer references student_result_change;
create unique index approval_student_result_change on approval (student_result_change_id) where status = 'Pending';
create index on approval (student_result_change_id);
-- The kinds of other features stay as they are.
do $$
declare
  known text;
begin
  select substr(pg_get_constraintdef(oid), 7) into known from pg_constraint
    where conrelid = 'approval'::regclass and conname = 'approval_kind';
  alter table approval drop constraint approval_kind;
  execute 'alter table approval add constraint approval_kind check (' || known
    || $kinds$ or kind = 'student.result')$kinds$;
end $$;
alter table approval add constraint approval_subject_result
  check ((kind = 'student.result') = (student_result_change_id is not null));

-- A closed year takes the other result of an enrolment, and nothing else of its row, along with a correction that is applied in
-- this transaction.
do $$
declare
  refusal constant text := $old$    perform academic_refuse_closed(touched, academic_closed_way(tg_table_name));$old$;
  allowed constant text := $new$    if tg_table_name = 'student_enrollment' and tg_op = 'UPDATE' then
      if not exists (select to_jsonb(later) - 'status' from changed later
            except select to_jsonb(earlier) - 'status' from before earlier)
          and not exists (select from changed later
            join before earlier on to_jsonb(earlier) ->> 'id' = to_jsonb(later) ->> 'id'
            where not exists (select from student_result_change correction
              where correction.enrollment_id = (to_jsonb(later) ->> 'id')::integer
                and correction.from_status = to_jsonb(earlier) ->> 'status'
                and correction.to_status = to_jsonb(later) ->> 'status'
                and correction.applied_at = school_now())) then
        return null;
      end if;
    end if;
$new$;
  known text := pg_get_functiondef('academic_refuse_closed_years'::regproc);
begin
  if strpos(known, refusal) = 0 then
    raise exception 'academic_refuse_closed_years refuses in other words';
  end if;
  execute replace(known, refusal, allowed || refusal);
end $$;
