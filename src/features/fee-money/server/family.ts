import { sql } from 'kysely';
import { feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { contactsOf } from '#features/student/api.ts';
import { cleanCode } from '#kit/contract/typed.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { mobilePart, wordsOf } from '#kit/server/search.ts';

/** A child at the counter. */
export interface CounterChild {
  studentId: number;
  accountId: number | null;
  version: number;
  name: string;
  grNo: string;
  place: string;
  rollNo: string;
  /** The branch of the latest enrolment, whose series number the receipts. */
  branchId: number;
  isElsewhere: boolean;
  net: number;
  paid: number;
}

/** Children with their latest enrolment; those of branches that the user does not reach are marked. */
export async function readCounterChildren(ctx: UserContext, studentIds: readonly number[]): Promise<CounterChild[]> {
  const { rows } = await sql<CounterChild>`
    select student.id as "studentId", account.id as "accountId", coalesce(account.version, 1) as version, student.name,
      student.gr_no as "grNo", coalesce(academic_section_name(grade.name, section.name), grade.name, '') as place,
      coalesce(place.roll_no::text, '') as "rollNo", coalesce(place.branch_id, student.branch_id) as "branchId",
      not ${inScope(ctx.user, feeWriters, { branch: sql`coalesce(place.branch_id, student.branch_id)` })} as "isElsewhere",
      coalesce(sums.net, 0)::bigint as net, coalesce(sums.paid, 0)::bigint as paid
    from student
    left join fee_account account on account.student_id = student.id
    left join lateral (select enrollment.branch_id, enrollment.grade_id, seat.section_id, seat.roll_no, enrollment.academic_year_id
      from student_enrollment enrollment
      left join lateral (select section_id, roll_no from student_section own where own.enrollment_id = enrollment.id
        order by effective_from desc limit 1) as seat on true
      where enrollment.student_id = student.id and enrollment.is_standing
      order by enrollment.academic_year_id in (select id from academic_year where status = 'Current') desc,
        enrollment.joined_on desc limit 1) as place on true
    left join academic_grade grade on grade.id = place.grade_id
    left join academic_section section on section.id = place.section_id
    left join lateral (select sum(due.net) as net, sum(due.paid) as paid from fee_due due
      where due.account_id = account.id and due.academic_year_id = place.academic_year_id and due.kind = 'Plan') as sums on true
    where student.id = any(${studentIds}::integer[])
    order by student.birth_date, student.id`.execute(ctx.db);
  return rows;
}

/** The family of a student, itself included. */
export async function familyOf({ db }: Pick<UserContext, 'db'>, studentId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select member.id from student own join student member on member.family_id = own.family_id where own.id = ${studentId}
    union select ${studentId}::integer`.execute(db);
  return rows.map(({ id }) => id);
}

/** The adults who may pay for these children, the one to call first. */
export async function payersOf(ctx: UserContext, studentIds: readonly number[]) {
  const adults = [
    ...(await contactsOf(ctx, studentIds, 'primary')),
    ...(await contactsOf(ctx, studentIds, 'receiving')),
    ...(await contactsOf(ctx, studentIds, 'collecting')),
  ];
  const once = new Map(adults.map((adult) => [adult.guardianId, adult]));
  return [...once.values()].map(({ guardianId, name, mobile, children }) => ({
    guardianId,
    name,
    mobile,
    relation: children[0]?.relation ?? '',
    isPrimary: children.some(({ isPrimary }) => isPrimary),
  }));
}

const leastDigits = 5;

/** Families in the branches of the user by a child's or adult's name, GR number, mobile number or receipt number; a few at most. */
export async function findFamilies(ctx: UserContext, search: string) {
  const words = wordsOf(search)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, 6);
  const number = cleanCode(search);
  const digits = mobilePart(search, leastDigits);
  const today = toLocalDate(ctx.now());
  const { rows } = await sql<{
    key: string;
    children: { studentId: number; name: string; grNo: string; place: string }[];
    payer: string;
    mobile: string;
    due: number;
  }>`
    with hit as (
      select student.id, student.family_id, case when lower(student.gr_no) = lower(${number}) then 0 else 1 end as rank
      from student where lower(student.gr_no) = lower(${number})
        or (${words.length > 0} and not exists (select from unnest(${words}::text[]) as word
          where student.search_key not like '%' || search_key(word) || '%'))
      union all
      select link.student_id, student.family_id, 2 from guardian adult
      join student_guardian link on link.guardian_id = adult.id join student on student.id = link.student_id
      where (${digits !== ''} and adult.mobile like '%' || ${digits})
        or (${words.length > 0} and not exists (select from unnest(${words}::text[]) as word
          where adult.search_key not like '%' || search_key(word) || '%'))
      union all
      select account.student_id, student.family_id, 0 from fee_receipt receipt
      join fee_account account on account.id = receipt.account_id join student on student.id = account.student_id
      where lower(receipt.receipt_no) = lower(${number})),
    family as (
      select coalesce(hit.family_id, -hit.id) as family, min(hit.id) as hit, min(rank) as rank from hit
      where exists (select from student_enrollment enrollment where enrollment.student_id = hit.id
        and ${inScope(ctx.user, feeWriters, { branch: sql`enrollment.branch_id` })})
      group by 1 order by 3, 1 limit 12)
    select family.family::text as key, member.children, coalesce(contact.name, '') as payer,
      coalesce(contact.mobile, '') as mobile, coalesce(owed.due, 0)::bigint as due
    from family
    cross join lateral (select jsonb_agg(jsonb_build_object('studentId', student.id, 'name', student.name, 'grNo', student.gr_no,
        'place', coalesce((select academic_section_name(grade.name, section.name) from student_section own
          join academic_section section on section.id = own.section_id join academic_grade grade on grade.id = section.grade_id
          where own.student_id = student.id order by own.effective_from desc limit 1), ''))
        order by student.left_on nulls first, student.birth_date, student.id) as children
      from student where student.id = family.hit or student.family_id = family.family) as member
    left join lateral (select name, mobile from student_contact where student_id = family.hit limit 1) as contact on true
    left join lateral (select sum(due.net - due.paid) as due from student join fee_account account on account.student_id = student.id
      join fee_due due on due.account_id = account.id and due.due_on <= ${today}::date and due.paid < due.net
      where student.id = family.hit or student.family_id = family.family) as owed on true
    order by family.rank, due desc, family.hit`.execute(ctx.db);
  return rows;
}
