import { type RawBuilder, sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';

export const closedForAdmission = text`This year is not open for admission.`;
export const closedGrade = text`This grade is not open for admission.`;

/** True in a query of a row of the seat plan, `seat`, that is open on this day; or that opens later. */
const isOpenRow = (today: string, opensLater: boolean) => sql<boolean>`(seat.total > 0
  and coalesce(seat.closes_on, 'infinity') >= ${today}::date
  and (${opensLater} or coalesce(seat.opens_on, '-infinity') <= ${today}::date))`;

/** True in a query of an inquiry, `inquiry`, whose grade is open for admission now. */
export const isGradeOpen = (now: Date): RawBuilder<boolean> => sql<boolean>`exists (select from admission_seat seat
  where (seat.academic_year_id, seat.branch_id, seat.program_id, seat.grade_id)
    = (inquiry.academic_year_id, inquiry.branch_id, inquiry.program_id, inquiry.grade_id)
    and ${isOpenRow(toLocalDate(now), false)})`;

/** True in a query of an academic year, `academic_year`, in which a grade is open or opens later. */
export const isYearOpen = (now: Date): RawBuilder<boolean> => sql<boolean>`exists (select from admission_seat seat
  where seat.academic_year_id = academic_year.id and ${isOpenRow(toLocalDate(now), true)})`;

/** True of a row of the seat plan, `seat`, that takes new inquiries: it is open, or opens later. */
export const takesInquiries = (now: Date) => isOpenRow(toLocalDate(now), true);
