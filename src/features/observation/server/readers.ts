import { sql } from 'kysely';
import type { Context, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { isOpenOn } from '#kit/server/security/open-account.ts';
import type { Reach } from '../contract/words.ts';

interface Reader {
  staffId: number;
  name: string;
  part: 'leads' | 'teaches' | 'principal' | 'counsellor';
  /** How many of the students this person reads. */
  students: number;
}

/** Who reads a note on each of these students today, with what makes them a reader. */
async function findReaders({ db, now }: Pick<Context, 'db' | 'now'>, studentIds: readonly number[], reach: Reach) {
  const today = toLocalDate(now());
  const { rows } = await sql<Reader>`
    with place as materialized (
      select asked.id as student_id, there.section_id, coalesce(there.branch_id, student.branch_id) as branch_id
      from unnest(${[...studentIds]}::integer[]) as asked(id) join student on student.id = asked.id
      left join student_on(${today}) there on there.student_id = asked.id),
    teacher as (
      select own.staff_id, case when own.subject_id is null then 'leads' else 'teaches' end as part, place.student_id
      from place join academic_section_teacher own on own.section_id = place.section_id
      join academic_year year on year.id = own.academic_year_id
      where ${today}::date between own.effective_from and coalesce(own.effective_to, year.ends_on)
        and (${reach} = 'All teachers' or ${reach} = 'Class teachers' and own.subject_id is null)),
    keeper as (
      select account.staff_id, case when 'principal' = any(account.sets) then 'principal' else 'counsellor' end as part,
        place.student_id
      from place, sign_in_account account
      where account.is_staff and account.sets && '{principal,counsellor}' and ${isOpenOn(today)}
        and (not exists (select from sign_in_account_branch where account_id = account.id)
          or exists (select from sign_in_account_branch where account_id = account.id and branch_id = place.branch_id))),
    reader as (select * from teacher union all select * from keeper)
    select staff.id as "staffId", staff.name, min(reader.part) as part, count(distinct reader.student_id)::integer as students
    from reader join staff on staff.id = reader.staff_id
    group by staff.id order by lower(staff.name), staff.id`.execute(db);
  return rows;
}

/** The readers but the author in words, and those who read every one of the notes, whom a follow-up may belong to. */
export async function describeReaders(
  ctx: UserContext,
  studentIds: readonly number[],
  reach: Reach,
  authorId = ctx.user.staffId,
) {
  const readers = await findReaders(ctx, studentIds, reach);
  const found = readers.filter(({ staffId }) => staffId !== authorId);
  const nameOf = (part: Reader['part']) => found.filter((one) => one.part === part).map(({ name }) => name);
  const { user } = ctx;
  const others = readers.filter(({ staffId, students }) => staffId !== user.staffId && students === studentIds.length);
  return {
    leads: nameOf('leads'),
    teachers: nameOf('teaches').length,
    keepers: [...nameOf('principal'), ...nameOf('counsellor')],
    owners: [{ id: user.staffId, name: user.name }, ...others.map(({ staffId, name }) => ({ id: staffId, name }))],
  };
}

/** Whether a person reads a note on each of these students today. */
export async function isReader(ctx: UserContext, staffId: number, studentIds: readonly number[], reach: Reach) {
  const found = await findReaders(ctx, studentIds, reach);
  return found.some((one) => one.staffId === staffId && one.students === studentIds.length);
}
