import { type RawBuilder, sql } from 'kysely';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { readSettings } from '#kit/server/settings.ts';
import type { MonthChild, MonthDay, MonthMatrix, MonthTotals, monthApi } from '../contract/month.ts';
import type { Slot } from '../contract/register.ts';
import { lastOf } from './child-days.ts';
import { neverJoined } from './not-seen.ts';
import { registerRights } from './rights.ts';
import { lowPercent, nearPercent } from './settings.ts';

type Reading = Pick<UserContext, 'db'>;

interface Asked {
  sectionId: number;
  yearId: number;
  gradeId: number;
  yearStart: string;
  first: string;
  last: string;
  today: string;
}

/** The marks of a section in a month. */
export const readMonth: Handler<typeof monthApi.read> = (ctx, asked) => monthMatrix(ctx, asked);

export async function monthMatrix(
  ctx: UserContext,
  asked: { sectionId: number | null; month: string },
): Promise<MonthMatrix> {
  const today = toLocalDate(ctx.now());
  const month = asked.month || today.slice(0, 7);
  const first = `${month}-01`;
  const last = lastOf(month);
  const rights = await registerRights(ctx, today, today);
  const sections = await listSections(ctx, first, last, rights);
  const found = asked.sectionId === null ? sections[0] : sections.find(({ id }) => id === asked.sectionId);
  if (!found && sections.length > 0) throw new AppError('not_found', notFoundMessage);
  const { rows: codes } = await sql<{ code: string; name: string; kind: string }>`
    select code, name, kind from attendance_code order by position`.execute(ctx.db);
  const names = sections.map(({ id, name }) => ({ id, name }));
  const head = {
    today,
    month,
    sections: names,
    codes,
    ...(await readSettings(ctx, { low: lowPercent, near: nearPercent })),
  };
  if (!found) return { ...head, section: null, days: [], children: [], perMille: null, yearPerMille: null };
  const { id, name, yearId, gradeId, yearStart } = found;
  const here = { sectionId: id, yearId, gradeId, yearStart, first, last, today };
  const days = await listDays(ctx, here);
  const children = await listChildren(ctx, here, days);
  const whole = await sumSection(ctx, here);
  return { ...head, section: { id, name }, days, children, ...whole };
}

interface Section {
  id: number;
  name: string;
  yearId: number;
  gradeId: number;
  yearStart: string;
}

async function listSections(
  { db }: Reading,
  first: string,
  last: string,
  rights: Awaited<ReturnType<typeof registerRights>>,
) {
  const { rows } = await sql<Section>`
    select section.id, academic_section_name(grade.name, section.name) as name, year.id as "yearId",
      section.grade_id as "gradeId", year.starts_on as "yearStart"
    from academic_year year
    join academic_section section on section.academic_year_id = year.id and section.is_active
    join academic_grade grade on grade.id = section.grade_id
    where year.starts_on <= ${last} and year.ends_on >= ${first} and ${rights.readsMonth}
    order by ${rights.isLed} desc, grade.position, lower(section.name), section.id limit 200`.execute(db);
  return rows;
}

async function listDays(
  { db }: Reading,
  { sectionId, yearId, gradeId, first, last, today }: Asked,
): Promise<MonthDay[]> {
  const present = (who: RawBuilder<unknown>) => sql`(count(*) filter (where code.value > 0 and ${who})
    / greatest(count(distinct mark.register_id), 1)::float)`;
  const { rows } = await sql<Omit<MonthDay, 'isTaken'>>`
    select days.day::text, days.kind, days.name, days.work / 2.0::float as work, own.slots,
      days.day <= ${today} as "isPast", counts.present, counts.boys, counts.girls
    from academic_school_days(${yearId}, ${first}, ${last}) as days
    cross join lateral (
      select json_agg(json_build_object('slot', slots.slot, 'isTaken', taken.id is not null) order by slots.half) as slots,
        array_agg(taken.id) as registers
      from attendance_slots(${sectionId}, days.day, days.work) as slots
      left join attendance_register taken on taken.section_id = ${sectionId} and taken.day = days.day and taken.half = slots.half
    ) as own
    cross join lateral (
      select ${present(sql`true`)} as present, ${present(sql`student.gender = 'M'`)} as boys,
        ${present(sql`student.gender = 'F'`)} as girls
      from attendance_mark mark
      join attendance_code code on code.id = mark.code_id
      join student on student.id = mark.student_id
      where mark.register_id = any(own.registers) and ${sitsIn(sectionId)}) as counts
    where days.grade_id = ${gradeId} order by days.day`.execute(db);
  return rows.map((row) => ({ ...row, isTaken: row.slots.every(({ isTaken }) => isTaken) }));
}

/**
 * In a query of `mark`: the child sits in the section on that day. Of a child who was moved or left by an earlier day than
 * was known then, the later marks belong to the new section's month, or to none.
 */
const sitsIn = (sectionId: number) => sql<boolean>`exists (select from student_section seat
  where seat.student_id = mark.student_id and seat.section_id = ${sectionId}
    and mark.day between seat.effective_from and coalesce(seat.effective_to, 'infinity'))`;

/**
 * The days on which children sit in the section, as `student_on` finds them for one day, and the marks that its month shows.
 * Each child is read once for its days together, and the marks elsewhere only of days on which it sat here.
 */
const shownMarks = ({ sectionId, yearId, first, last, today }: Asked) => sql`
  placed as materialized (
    select own.student_id, days.day, own.roll_no
    from (select generate_series(${first}::date, least(${last}::date, ${today}::date), interval '1 day')::date as day) as days
    join student_section own on days.day between own.effective_from and coalesce(own.effective_to, 'infinity')
    join student_enrollment enrollment on enrollment.id = own.enrollment_id and enrollment.status <> 'Cancelled'
      and days.day between enrollment.joined_on and coalesce(enrollment.left_on, 'infinity')
    join academic_year year on year.id = enrollment.academic_year_id and days.day between year.starts_on and year.ends_on
    where own.section_id = ${sectionId}),
  never_joined as materialized (${neverJoined(yearId)}),
  register as materialized (
    select id, slot from attendance_register where section_id = ${sectionId} and day between ${first} and ${last}),
  shown as materialized (
    select mark.register_id, mark.student_id, mark.day, mark.half, mark.code_id, register.slot, false as is_elsewhere
    from register join attendance_mark mark on mark.register_id = register.id
    where ${sitsIn(sectionId)} or mark.student_id in (select student_id from never_joined)
    union all
    select mark.register_id, mark.student_id, mark.day, mark.half, mark.code_id, other.slot, true
    from attendance_mark mark
    join placed on placed.student_id = mark.student_id and placed.day = mark.day
    join attendance_register other on other.id = mark.register_id and other.section_id <> ${sectionId}
    where mark.academic_year_id = ${yearId} and mark.student_id = any(array(select distinct student_id from placed))
      and mark.day between ${first} and ${last} and mark.register_id <> all(array(select id from register)))`;

async function listChildren({ db }: Reading, asked: Asked, days: readonly MonthDay[]): Promise<MonthChild[]> {
  const { yearId, yearStart, last } = asked;
  const { rows } = await sql<Row>`
    with ${shownMarks(asked)},
    totals as (
      select counted.student_id, sum(counted.worth)::bigint as worth, sum(counted.share)::bigint as share,
        ${daysOf('Present')} as present, ${daysOf('Absent')} as absent, ${daysOf('Late')} as late,
        ${daysOf('Half day')} as half_day, ${daysOf('Leave')} as leave, ${daysOf('On duty')} as on_duty
      from shown join attendance_counted counted on counted.register_id = shown.register_id
        and counted.student_id = shown.student_id
        -- Without the day a plan that is kept reads each child's marks of the year.
        and counted.day = shown.day
      where counted.register_id = any(array(select register_id from shown))
      group by counted.student_id),
    listed as (select student_id from placed union select student_id from shown),
    year as (
      select * from attendance_totals(array(select student_id from listed), ${yearId}, ${yearStart}, ${last}))
    select student.id as "studentId", student.name,
      (select roll_no from placed where placed.student_id = student.id order by day desc limit 1) as "rollNo",
      array(select day::text from placed where placed.student_id = student.id) as "placedOn",
      (select json_agg(json_build_object('day', shown.day, 'slot', shown.slot, 'code', code.code,
          'isElsewhere', shown.is_elsewhere) order by shown.half)
        from shown join attendance_code code on code.id = shown.code_id where shown.student_id = student.id) as marks,
      coalesce(totals.present, 0) as present, coalesce(totals.absent, 0) as absent, coalesce(totals.late, 0) as late,
      coalesce(totals.half_day, 0) as "halfDay", coalesce(totals.leave, 0) as leave, coalesce(totals.on_duty, 0) as "onDuty",
      coalesce(totals.share / 4.0, 0)::float as days, attendance_per_mille(totals.worth, totals.share) as "perMille",
      year.per_mille as "yearPerMille", student.id in (select student_id from never_joined) as "isNeverJoined"
    from listed
    join student on student.id = listed.student_id
    left join totals on totals.student_id = student.id
    left join year on year.student_id = student.id
    order by "rollNo" nulls last, student.sort_name, student.id`.execute(db);
  return rows.map(({ studentId, name, rollNo, placedOn, marks, yearPerMille, isNeverJoined, ...totals }) => {
    const byDay = Map.groupBy(marks ?? [], ({ day }) => day);
    const placed = new Set(placedOn);
    const cells = days.map(({ day }) => byDay.get(day));
    return {
      studentId,
      name,
      rollNo,
      marks: days.map(({ day, slots }, index) => {
        const cell = cells[index];
        return cell ? halvesOf(cell, slots.length) : placed.has(day) ? [''] : null;
      }),
      elsewhere: cells.flatMap((cell, index) => (cell?.some(({ isElsewhere }) => isElsewhere) ? [index] : [])),
      isNeverJoined,
      totals,
      yearPerMille,
    };
  });
}

/** The codes of a day: one of a whole day, of a section with one register or a half day, otherwise those of both halves. */
function halvesOf(cell: readonly Marked[], slots: number): string[] {
  const codeOf = (slot: Slot) => cell.find((mark) => mark.slot === slot)?.code;
  const [whole, afternoon] = [codeOf('Full day'), codeOf('Afternoon')];
  if (whole !== undefined) return [whole];
  const morning = codeOf('Morning') ?? '';
  return slots > 1 || afternoon !== undefined ? [morning, afternoon ?? ''] : [morning];
}

interface Marked {
  day: string;
  slot: Slot;
  code: string;
  isElsewhere: boolean;
}

interface Row extends MonthTotals {
  studentId: number;
  name: string;
  rollNo: number | null;
  placedOn: string[];
  marks: Marked[] | null;
  yearPerMille: number | null;
  isNeverJoined: boolean;
}

/** Days of a kind of mark; shares are quarters of a day. */
const daysOf = (kind: string) =>
  sql`(coalesce(sum(counted.share) filter (where counted.kind = ${kind}), 0) / 4.0)::float`;

/** The percentages of the section's own registers, of the month and of the year until its end. */
async function sumSection({ db }: Reading, { sectionId, yearId, yearStart, first, last }: Asked) {
  const { rows } = await sql<{ perMille: number | null; yearPerMille: number | null }>`
    select attendance_per_mille(sum(worth) filter (where day >= ${first})::bigint, sum(share) filter (where day >= ${first})::bigint)
        as "perMille", attendance_per_mille(sum(worth)::bigint, sum(share)::bigint) as "yearPerMille"
    from attendance_counted_register
    where academic_year_id = ${yearId} and section_id = ${sectionId} and day between ${yearStart} and ${last}`.execute(
    db,
  );
  return rows[0] ?? { perMille: null, yearPerMille: null };
}
