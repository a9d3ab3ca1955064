import { type RawBuilder, sql } from 'kysely';
import type { SeedPlan } from '#database/seed/plan.ts';
import type { Context } from '#kit/server/context.ts';
import type { Database } from '#kit/server/database/database.ts';
import { concessionTitle } from './contract/concession.ts';

/** Name, code, percentage, for whom, group, priority, needs approval. */
const percentages = [
  ['Siblings', 'SIB', 1000, 'Siblings', 'Family', 20, false],
  ['Staff children', 'STAFF', 5000, 'Staff child', 'Family', 10, false],
  ['Merit scholarship', 'MERIT', 2000, 'Merit', '', 30, true],
  ['Children of the management', 'MGMT', 500, 'Student category', '', 40, true],
] as const;

const support = 'Single parent support';

/** Discounts of each kind, and the concessions of this year's students. */
export async function seedDiscounts({ db }: Pick<Context, 'db'>, { today }: SeedPlan) {
  await db.transaction().execute(addDiscounts);
  const tuition = await db
    .selectFrom('fee_head')
    .where('category', '=', 'Tuition')
    .select('id')
    .executeTakeFirstOrThrow();
  await db.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto('fee_discount')
      .values({
        name: support,
        code: 'SUPPORT',
        value_kind: 'Fixed amount',
        amount: 500_000,
        all_heads: false,
        eligibility: 'Any student',
        priority: 50,
        needs_approval: true,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx.insertInto('fee_discount_head').values({ discount_id: id, fee_head_id: tuition.id }).execute();
  });
  const named = (name: string) => sql`student.category_id = (select id from academic_lookup
    where kind = 'Student category' and name = ${name})`;
  /** Not the first child of a family; the demo's families are young, so this is the order of birth. */
  const isYounger = sql`exists (select from student elder join student_enrollment other on other.student_id = elder.id
    and other.academic_year_id = enrollment.academic_year_id and other.status = 'Active'
    where elder.family_id = student.family_id and (elder.birth_date, elder.id) < (student.birth_date, student.id))`;
  const general = named('General');
  await addConcessions(db, today, {
    code: 'RTE',
    status: 'Approved',
    most: 25,
    source: 'Suggested',
    where: named('RTE'),
  });
  await addConcessions(db, today, {
    code: 'STAFF',
    status: 'Approved',
    most: 15,
    source: 'Suggested',
    where: named('Staff child'),
  });
  await addConcessions(db, today, { code: 'SIB', status: 'Approved', most: 40, source: 'Suggested', where: isYounger });
  await addConcessions(db, today, { code: 'SIB', status: 'Suggested', most: 5, source: 'Suggested', where: isYounger });
  await addConcessions(db, today, {
    code: 'MERIT',
    status: 'Approved',
    most: 10,
    where: general,
    reason: 'First of the grade',
  });
  await addConcessions(db, today, {
    code: 'SUPPORT',
    status: 'Rejected',
    most: 1,
    where: general,
    reason: 'Asked for by the mother',
    from: today,
  });
  await addConcessions(db, today, {
    code: 'SUPPORT',
    status: 'Requested',
    most: 2,
    where: general,
    reason: 'The father has lost his job',
    from: today,
  });
  await sql`insert into approval (kind, fee_concession_id, branch_id, student_id, title, reason, requested_by, requested_at)
    select 'fee.concession', concession.id, enrollment.branch_id, concession.student_id,
      ${JSON.stringify(concessionTitle(support))}::jsonb, reason, requested_by, ${`${today}T04:30:00Z`}
    from fee_concession concession join student_enrollment enrollment
      on enrollment.student_id = concession.student_id and enrollment.academic_year_id = concession.academic_year_id
      and enrollment.is_standing
    where concession.status = 'Requested'`.execute(db);
}

async function addDiscounts(tx: Database) {
  const rows = await tx
    .insertInto('fee_discount')
    .values([
      ...percentages.map(([name, code, percent, eligibility, stack_group, priority, needs_approval]) => ({
        name,
        code,
        value_kind: 'Percent',
        percent,
        all_heads: true,
        eligibility,
        stack_group,
        priority,
        needs_approval,
        max_amount: code === 'MERIT' ? 1_200_000 : null,
      })),
      {
        name: 'Free seat under the RTE Act',
        code: 'RTE',
        value_kind: 'Full waiver',
        all_heads: true,
        eligibility: 'RTE',
        priority: 1,
        needs_approval: false,
      },
    ])
    .returning(['id', 'code'])
    .execute();
  const idOf = (code: string) => rows.find((row) => row.code === code)?.id ?? 0;
  await tx
    .insertInto('fee_discount_step')
    .values([
      { discount_id: idOf('SIB'), child: 3, percent: 1500 },
      { discount_id: idOf('SIB'), child: 4, percent: 2000 },
    ])
    .execute();
  await tx
    .insertInto('fee_discount_category')
    .columns(['discount_id', 'category_id'])
    .expression(
      sql`select ${idOf('MGMT')}::integer, id from academic_lookup where kind = 'Student category' and name = 'Management'`,
    )
    .execute();
}

interface Given {
  code: string;
  status: string;
  most: number;
  where: RawBuilder<unknown>;
  source?: string;
  reason?: string;
  /** By default the student's first month of the year. */
  from?: string;
}

/** Concessions of students of the current year who do not have this discount yet, in the order of their GR numbers. */
const addConcessions = (
  db: Database,
  today: string,
  { code, status, most, where, source = 'Asked', reason = '', from }: Given,
) =>
  sql`insert into fee_concession (student_id, academic_year_id, discount_id, source, percent, amount, effective_from,
      effective_to, reason, status, requested_by)
    select student.id, year.id, discount.id, ${source}, discount.percent, discount.amount,
      date_trunc('month', coalesce(${from ?? null}::date, enrollment.joined_on)::timestamp),
      date_trunc('month', year.ends_on::timestamp) + interval '1 month - 1 day', ${reason}, ${status},
      case when ${status} <> 'Suggested' then (select min(id) from staff) end
    from student_enrollment enrollment
    join student on student.id = enrollment.student_id
    join academic_year year on year.id = enrollment.academic_year_id and year.id = academic_year_on(${today}::date)
    join fee_discount discount on discount.code = ${code}
    where enrollment.status = 'Active' and ${where}
      and not exists (select from fee_concession other where other.student_id = student.id
        and other.discount_id = discount.id)
    order by student.gr_no, student.id limit ${most}`.execute(db);
