import { sql } from 'kysely';
import { demoPeople } from '#database/seed/demo-people.ts';
import type { SeedPlan } from '#database/seed/plan.ts';
import type { Context } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import { addDays } from '#kit/server/day.ts';
import type { Random } from '#kit/server/random.ts';
import { readCertificateFacts } from './server/paper/certificate-facts.ts';

const clerk = demoPeople[0]?.name ?? '';
const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const codeOf = (random: Random) => Array.from({ length: 10 }, () => alphabet[random.upTo(58)]).join('');

interface Holder {
  id: number;
  branchId: number;
  leavingId: number | null;
  issuedOn: string;
  to: string;
}

interface Made extends Holder {
  kind: 'Leaving' | 'Bonafide' | 'Character' | 'Study';
  purpose?: string;
  conduct?: string;
  runId?: number;
  voidReason?: string;
  isHandedOut?: boolean;
}

const seriesOf = { Leaving: 'leaving-certificate', Bonafide: 'bonafide', Character: 'character', Study: 'study' };
const prefixes = { Leaving: 'LC', Bonafide: 'BC', Character: 'CC', Study: 'SC' };

/**
 * The certificates of the latest leavers, some with a duplicate or void with their successor; bonafide certificates of a
 * whole section, issued at once; and a few of the other kinds.
 */
export async function seedCertificates(ctx: Context, plan: SeedPlan) {
  const { db } = ctx;
  // Records of the demo school are closed but for those of the last month.
  await sql`update student set added_on = least(admitted_on, ${plan.today}::date)`.execute(db);
  const leavers = await readLeavers(ctx, plan.today);
  const section = await readSection(ctx, addDays(plan.today, -9));
  const runId = section.length > 0 ? await seedRun(ctx, section, plan.today) : undefined;
  const [first, second, third, fourth] = section;
  const some = [first, second, third].flatMap((child) => child ?? []);
  const made: Made[] = [
    ...leavers.flatMap((leaver, index): Made[] => {
      const isHandedOut = index % 3 !== 2;
      const one: Made = { ...leaver, kind: 'Leaving', isHandedOut };
      return index === 1 ? [{ ...one, isHandedOut: false, voidReason: 'The birth date was corrected' }, one] : [one];
    }),
    ...section.map((child): Made => ({ ...child, kind: 'Bonafide', purpose: 'Bus pass', ...(runId && { runId }) })),
    ...(fourth
      ? [{ ...fourth, kind: 'Bonafide' as const, purpose: 'Passport', voidReason: 'The purpose was mistyped' }]
      : []),
    ...some.map((child): Made => ({ ...child, kind: 'Character', conduct: 'Good', isHandedOut: true })),
    ...some.slice(0, 2).map((child): Made => ({ ...child, kind: 'Study', purpose: 'Domicile certificate' })),
  ];
  await seedCorrections(ctx, plan, section);
  await insertMade(ctx, plan, made);
  await sql`insert into student_certificate_copy (certificate_id, copy_no, reason, printed_by)
    select min(id), 1, 'The family lost it', ${clerk} from student_certificate where handed_out_on is not null having min(id) is not null`.execute(
    db,
  );
  await sql`update student_certificate old set replaced_by_id = (select min(id) from student_certificate next
    where next.student_id = old.student_id and next.kind = old.kind and next.id > old.id) where voided_at is not null`.execute(
    db,
  );
}

/** Corrections of birth places: done by hand and by order, and one that was withdrawn. */
async function seedCorrections({ db }: Context, { today }: SeedPlan, section: readonly Holder[]) {
  const states = ['Done', 'Done', 'Withdrawn', 'Rejected'] as const;
  await insertRows(
    db,
    'student_correction',
    section.slice(0, states.length).map(({ id }, index) => {
      const isOrder = index === 1;
      const day = addDays(today, -20 + index);
      return {
        student_id: id,
        field: 'birthPlace',
        old_value: 'Suart',
        new_value: 'Surat',
        old_stored: 'Suart',
        new_stored: 'Surat',
        kind: isOrder ? 'By order' : 'Clerical mistake',
        reason: isOrder ? 'Order after the parents’ application' : 'Typed wrongly at admission',
        authority: isOrder ? 'District Education Officer' : '',
        order_no: isOrder ? 'DEO/123' : '',
        order_on: isOrder ? addDays(today, -30) : null,
        is_printed: isOrder,
        status: states[index] ?? 'Done',
        asked_by: clerk,
        asked_at: `${day}T11:00:00+05:30`,
        done_by: clerk,
        done_at: `${day}T12:00:00+05:30`,
      } as never;
    }),
  );
}

async function readLeavers({ db }: Context, today: string): Promise<Holder[]> {
  const rows = await db
    .selectFrom('student_leaving as own')
    .innerJoin('student', 'student.id', 'own.student_id')
    .leftJoin('student_contact as adult', 'adult.student_id', 'student.id')
    .where('own.last_day', '<', addDays(today, -5))
    .where('own.readmitted_on', 'is', null)
    .select(['own.id', 'own.student_id', 'own.last_day', 'student.branch_id', 'adult.name'])
    .orderBy('own.last_day', 'desc')
    .orderBy('own.id')
    .limit(12)
    .execute();
  return rows.reverse().map((row) => ({
    id: row.student_id,
    branchId: row.branch_id,
    leavingId: row.id,
    issuedOn: addDays(row.last_day, 3),
    to: row.name ?? 'Guardian',
  }));
}

/** The first 26 children of a section on a day. */
async function readSection({ db }: Context, day: string): Promise<Holder[]> {
  const { rows } = await sql<{ id: number; branchId: number; name: string | null }>`
    select student.id, student.branch_id as "branchId", adult.name
    from student_on(${day}::date) there
    join student on student.id = there.student_id
    left join student_contact adult on adult.student_id = student.id
    where there.section_id = (select min(section.id) from academic_section section
      join academic_grade grade on grade.id = section.grade_id
      where section.id in (select section_id from student_on(${day}::date) group by section_id having count(*) >= 10))
    order by there.roll_no, student.id limit 26`.execute(db);
  return rows.map(({ name, ...row }) => ({ ...row, leavingId: null, issuedOn: day, to: name ?? 'Guardian' }));
}

async function seedRun({ db }: Context, section: readonly Holder[], today: string): Promise<number> {
  const at = `${addDays(today, -9)}T11:00:00+05:30`;
  const order = section.map(({ id }) => id);
  const { id } = await db
    .insertInto('run')
    .values({
      kind: 'student.certificate',
      actor: clerk,
      input: JSON.stringify({ kind: 'Bonafide', purpose: 'Bus pass', conduct: '', order }),
      total: section.length,
      started_at: at,
      finished_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`insert into run_row (run_id, subject_id, name, status)
    select ${id}, asked.place, student.name, 'Done'
    from unnest(${order}::integer[]) with ordinality as asked (id, place) join student on student.id = asked.id`.execute(
    db,
  );
  return id;
}

async function insertMade(ctx: Context, plan: SeedPlan, made: readonly Made[]) {
  const { db } = ctx;
  const random = plan.random('certificate');
  const leaving = await readCertificateFacts(
    ctx,
    made.filter(({ kind }) => kind === 'Leaving'),
  );
  const others = await readCertificateFacts(
    ctx,
    made.filter(({ kind }) => kind !== 'Leaving').map(({ id }) => ({ id, leavingId: null })),
  );
  const years = await db.selectFrom('academic_year').select(['name', 'starts_on', 'ends_on']).execute();
  const counts = new Map<string, number>();
  await insertRows(
    db,
    'student_certificate',
    made.map((one) => {
      const { kind, issuedOn, isHandedOut = false, voidReason = '' } = one;
      const year = years.find(({ starts_on, ends_on }) => starts_on <= issuedOn && issuedOn <= ends_on)?.name ?? '';
      const count = (counts.get(`${kind} ${year}`) ?? 0) + 1;
      counts.set(`${kind} ${year}`, count);
      return {
        kind,
        number: `${prefixes[kind]}/${year}/${String(count).padStart(4, '0')}`,
        student_id: one.id,
        leaving_id: one.leavingId,
        branch_id: one.branchId,
        issued_on: issuedOn,
        purpose: one.purpose ?? '',
        details: one.conduct ? { conduct: one.conduct } : {},
        facts: (kind === 'Leaving' ? leaving : others).get(one.id) ?? {},
        code: codeOf(random),
        run_id: one.runId ?? null,
        made_by: clerk,
        made_at: `${issuedOn}T11:00:00+05:30`,
        handed_out_on: isHandedOut ? addDays(issuedOn, 1) : null,
        handed_to: isHandedOut ? one.to : '',
        voided_at: voidReason ? `${issuedOn}T12:00:00+05:30` : null,
        void_reason: voidReason,
      } as never;
    }),
  );
  const series = await db
    .selectFrom('number_series')
    .where('code', 'in', Object.values(seriesOf))
    .where('branch_id', 'is', null)
    .select(['id', 'code'])
    .execute();
  await insertRows(
    db,
    'number_series_value',
    [...counts].map(([key, count]) => {
      const [kind = '', period = ''] = key.split(' ');
      const code = seriesOf[kind as Made['kind']];
      const id = series.find((one) => one.code === code)?.id ?? 0;
      return { series_id: id, period, next_value: count + 1, is_drawn: true };
    }),
  );
}
