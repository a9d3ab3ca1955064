import { type RawBuilder, sql } from 'kysely';
import { feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { contactsOf, householdsOf } from '#features/student/api.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { cleanCode } from '#kit/contract/typed.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { beginsWords, mobilePart, wordsOf } from '#kit/server/search.ts';
import type { FoundFamily } from '../contract/payment.ts';
import { owedToday, owesNothing } from './read-dues.ts';

/** A child at the counter. */
export interface CounterChild {
  studentId: number;
  accountId: number | null;
  version: number;
  name: string;
  grNo: string;
  place: string;
  rollNo: string;
  /** The branch of the receipt's day, whose series number the receipts. */
  branchId: number;
  isElsewhere: boolean;
  net: number;
  paid: number;
  /** The last day of a child who left, and the first of one who is still to come; else ''. */
  leftOn: string;
  joinsOn: string;
}

/**
 * Children with their place on the day of a receipt, by default today, without records that a merge ended; those whose branch the user reaches neither today nor
 * on that day are marked.
 */
export async function readCounterChildren(
  ctx: UserContext,
  studentIds: readonly number[],
  on = '',
): Promise<CounterChild[]> {
  const today = toLocalDate(ctx.now());
  const day = on || today;
  const isReached = (branch: RawBuilder<unknown>) =>
    inScope(ctx.user, feeWriters, { branch: sql`coalesce(${branch}, student.branch_id)` });
  // On one day both places are the same.
  const isReachedToday =
    day === today ? sql`false` : isReached(sql`(select branch_id from student_place(student.id, ${today}::date))`);
  const { rows } = await sql<CounterChild>`
    select student.id as "studentId", coalesce(case when student.left_on < ${today}::date then student.left_on::text end, '') as "leftOn",
      coalesce(case when student.left_on is null then (select min(joined_on)::text from student_enrollment enrollment
        where enrollment.student_id = student.id and enrollment.is_standing having min(joined_on) > ${today}::date) end, '') as "joinsOn", account.id as "accountId", coalesce(account.version, 1) as version, student.name,
      student.gr_no as "grNo", coalesce(place.name, '') as place,
      coalesce(place.roll_no::text, '') as "rollNo", coalesce(place.branch_id, student.branch_id) as "branchId",
      not (${isReached(sql`place.branch_id`)} or ${isReachedToday}) as "isElsewhere",
      coalesce(sums.net, 0)::bigint as net, coalesce(sums.paid, 0)::bigint as paid
    from student
    left join fee_account account on account.student_id = student.id
    left join lateral student_place(student.id, ${day}::date) place on true
    left join lateral (select sum(due.net) as net, sum(due.paid) as paid from fee_due due
      where due.account_id = account.id and due.academic_year_id = place.academic_year_id and due.kind = 'Plan') as sums on true
    where student.id = any(${studentIds}::integer[]) and student.merged_into_id is null
    order by student.birth_date, student.id`.execute(ctx.db);
  return rows;
}

/** The children whose fees are paid together with those of a student: of one adult, or else of the one to call first. */
export async function payingWith(ctx: UserContext, studentId: number, guardianId: number | null): Promise<number[]> {
  const households = await householdsOf(ctx, { studentIds: [studentId] });
  if (guardianId === null) return households[0]?.studentIds ?? [studentId];
  const own = households.find((household) => household.guardianId === guardianId);
  if (!own) throw new AppError('not_found', notFoundMessage);
  return own.studentIds;
}

/** The adults who may pay for all these children, the one to call first: those of their household, and contacts. */
export async function payersOf(ctx: UserContext, studentIds: readonly number[]) {
  const households = await householdsOf(ctx, { studentIds });
  const hasOthers = (guardianId: number) => {
    const own = households.find((one) => one.guardianId === guardianId);
    return own !== undefined && !studentIds.every((id) => own.studentIds.includes(id));
  };
  const adults = [
    ...(await contactsOf(ctx, studentIds, 'primary')),
    ...(await contactsOf(ctx, studentIds, 'receiving')),
    ...(await contactsOf(ctx, studentIds, 'household')),
    ...(await contactsOf(ctx, studentIds, 'collecting')),
  ];
  const once = new Map(adults.map((adult) => [adult.guardianId, adult]));
  const paying = [...once.values()].filter(({ guardianId }) => !hasOthers(guardianId));
  return paying.map(({ guardianId, name, mobile, children }) => ({
    guardianId,
    name,
    mobile,
    relation: children[0]?.relation ?? '',
    isPrimary: children.some(({ isPrimary }) => isPrimary),
  }));
}

const leastDigits = 5;
const mostHits = 12;
/** Of a common name; a hit is a household, so that several of these may be one. */
const mostMatches = 48;

/** A child that the search found, by itself or by an adult whose household is meant. */
interface Match {
  studentId: number;
  guardianId: number | null;
  rank: number;
}

async function matchesOf(ctx: UserContext, search: string): Promise<Match[]> {
  const words = wordsOf(search)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, 6);
  const number = cleanCode(search);
  const digits = mobilePart(search, leastDigits);
  const { rows } = await sql<Match>`
    with hit as (
      select student.id, null::integer as guardian, case when lower(student.gr_no) = lower(${number}) then 0 else 1 end as rank
      from student where lower(student.gr_no) = lower(${number})
        or ${beginsWords('student', words)}
      union
      select link.student_id, household.guardian_id, 2 from guardian adult
      join student_guardian link on link.guardian_id = adult.id
      left join student_household household on (household.guardian_id, household.student_id) = (adult.id, link.student_id)
      where (${digits !== ''} and adult.mobile like '%' || ${digits})
        or ${beginsWords('adult', words)}
      union
      select account.student_id, household.guardian_id, 0 from fee_receipt receipt
      join fee_account account on account.id = receipt.account_id
      join fee_payment payment on payment.id = receipt.payment_id
      left join student_household household
        on (household.guardian_id, household.student_id) = (guardian_now(payment.payer_guardian_id), account.student_id)
      where account.student_id is not null and lower(receipt.receipt_no) = lower(${number}))
    select now.id as "studentId", guardian as "guardianId", min(rank) as rank from hit
    join student on student.id = hit.id cross join lateral (select coalesce(student.merged_into_id, student.id) as id) as now
    where exists (select from student_enrollment enrollment where enrollment.student_id = now.id
      and ${inScope(ctx.user, feeWriters, { branch: sql`enrollment.branch_id` })})
    group by 1, 2 order by 3, 1, 2 limit ${mostMatches}`.execute(ctx.db);
  return rows;
}

/**
 * Adults with their children in the branches of the user, by a child’s or adult’s name, GR number, mobile number or receipt
 * number; a few at most. A record that was merged leads to the one that was kept. A child whose adults have different children is found once for each of them.
 */
export async function findFamilies(ctx: UserContext, search: string): Promise<FoundFamily[]> {
  const matches = await matchesOf(ctx, search);
  const households = await householdsOf(ctx, { studentIds: matches.map(({ studentId }) => studentId) });
  const found = new Map<
    string,
    { guardianId: number | null; name: string; mobile: string; ids: number[]; rank: number }
  >();
  for (const { studentId, guardianId, rank } of matches) {
    const own = households.filter(
      (one) => one.studentIds.includes(studentId) && (guardianId === null || one.guardianId === guardianId),
    );
    const meant = own.length > 0 ? own : [{ guardianId: null, name: '', mobile: '', studentIds: [studentId] }];
    for (const { studentIds: ids, ...adult } of meant) {
      const key = ids.join();
      if (!found.has(key)) found.set(key, { ...adult, ids, rank });
    }
  }
  const hits = [...found.values()].toSorted((one, other) => one.rank - other.rank).slice(0, mostHits);
  const children = await readCounterChildren(
    ctx,
    hits.flatMap(({ ids }) => ids),
  );
  const owed = await owedToday(
    ctx,
    children.flatMap(({ accountId }) => accountId ?? []),
    toLocalDate(ctx.now()),
  );
  return hits
    .map(({ ids, rank, guardianId, name, mobile }) => {
      const own = children.filter(({ studentId }) => ids.includes(studentId));
      const sums = own.map(({ accountId }) => owed.get(accountId ?? 0) ?? owesNothing);
      return {
        rank,
        hit: {
          key: ids.join(),
          guardianId,
          children: own.map((child) => ({
            studentId: child.studentId,
            name: child.name,
            grNo: child.isElsewhere ? '' : child.grNo,
            place: child.isElsewhere ? '' : child.place,
            leftOn: child.leftOn,
            joinsOn: child.joinsOn,
          })),
          payer: name,
          mobile,
          due: sums.reduce((sum, { due }) => sum + due, 0),
          fine: sums.reduce((sum, { fine }) => sum + fine, 0),
        },
      };
    })
    .toSorted((one, other) => one.rank - other.rank || other.hit.due + other.hit.fine - one.hit.due - one.hit.fine)
    .map(({ hit }) => hit);
}
