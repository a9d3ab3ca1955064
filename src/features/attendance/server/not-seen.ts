import { sql } from 'kysely';
import { unexplainedList } from '#features/student/contract/unexplained.ts';
import type { ListCondition } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';

/** So many school days of an enrolment without one on which the child was here ask for an answer. */
const noShowDays = 10;

/** Children of whom no register of their enrolment says that they were here, or of whom none was taken. */
export const notSeen: ListCondition = {
  list: unexplainedList.name,
  filter: 'notSeen',
  passes: ({ now }, id) => {
    const today = toLocalDate(now());
    // The marks come first: they answer for nearly all. The year is found once; one mark of each child is enough, while
    // `exists` would let the marks of the whole year be hashed.
    return sql<boolean>`case when (select true from attendance_mark mark
        join student_enrollment own on own.student_id = mark.student_id and own.academic_year_id = mark.academic_year_id
          and own.is_standing and mark.day >= own.joined_on
        where mark.student_id = ${id} and mark.academic_year_id = (select academic_year_on(${today}::date))
          and mark.code_id = any(array(select code.id from attendance_code code where code.value > 0)) limit 1) then false
      else exists (select from student_place(${id}, ${today}::date) place
        join student_enrollment own on own.id = place.enrollment_id
        where place.tense = 'now' and (select count(*) from academic_school_days(place.academic_year_id, own.joined_on,
          ${today}::date) each where each.grade_id = place.grade_id and each.work > 0) >= ${noShowDays}) end`;
  },
};

/** The students who never joined a year: their marks remain in their registers, and count nowhere. */
export const neverJoined = (yearId: number) => sql<{ student_id: number }>`
  select never.student_id from student_enrollment never
  where never.academic_year_id = ${yearId} and never.cancelled_as = 'No-show' and not exists (
    select from student_enrollment own where own.student_id = never.student_id
      and own.academic_year_id = never.academic_year_id and own.is_standing)`;
