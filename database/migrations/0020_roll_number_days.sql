-- A roll number is one student's on every day, also beside who leaves the section before the year ends; and a student has
-- left from the day behind their last one on, which only that day says (areas.md K4).

-- Where two had one number on a common day, who leaves first gets the next one.
alter table student_section disable trigger closed_year;
update student_section own set roll_no = given.roll_no
from (
  select double.id, nullif(least(row_number() over (partition by double.section_id order by double.id) +
    (select max(roll_no) from student_section where section_id = double.section_id), 1000), 1000) as roll_no
  from student_section double
  where double.effective_to is not null and exists (
    select 1 from student_section other
    where other.section_id = double.section_id and other.roll_no = double.roll_no and other.id <> double.id
      and daterange(other.effective_from, other.effective_to, '[]') && daterange(double.effective_from, double.effective_to, '[]')
      and (coalesce(other.effective_to, 'infinity'), other.id) > (double.effective_to, double.id))
) as given
where given.id = own.id;
alter table student_section enable trigger closed_year;

alter table student_section
  drop constraint student_section_roll,
  -- Checked at the end of a statement, so that two may change their numbers.
  add constraint student_section_roll exclude using gist
    (section_id with =, roll_no with =, daterange(effective_from, effective_to, '[]') with &&) deferrable initially immediate;

alter table student
  drop constraint student_status_check,
  drop constraint student_check;
update student set status = 'Active' where status in ('Left', 'Alumni');
alter table student
  add constraint student_status_check check (status in ('Active', 'On leave'));
