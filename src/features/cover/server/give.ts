import { sql } from 'kysely';
import { atWorkHook } from '#features/workday/contract/hooks.ts';
import { showDate, toLocalTime } from '#kit/contract/day.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { ActingContext, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { answer } from '#kit/server/hook.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { constraintRefusal } from '#kit/server/master/constraint-messages.ts';
import { notify } from '#kit/server/messages/notifications.ts';
import { requireVersion } from '#kit/server/record/version.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { type coverApi, coverMessages } from '../contract/cover.ts';
import { inReach } from './open.ts';

type Asked = Parameters<Handler<typeof coverApi.give>>[1]['rows'][number];

interface CheckedRow extends Asked {
  yearId: number | null;
  section: string | null;
  subject: string;
  isNeeded: boolean;
  isAway: boolean;
  isTeacher: boolean;
}

/** What the database says of each row that is asked for. */
async function checkRows(ctx: UserContext, day: string, rows: readonly Asked[]): Promise<CheckedRow[]> {
  const { rows: checked } = await sql<CheckedRow>`
    with needed as materialized (select * from cover_needed(${day}::date))
    select asked.*, section.academic_year_id as "yearId", academic_section_name(grade.name, section.name) as section,
      coalesce(subject.name, '') as subject,
      not exists (select from generate_series(asked."fromHalf"::integer, asked."toHalf"::integer) as wanted (half)
        where not exists (select from needed where needed.section_id = asked."sectionId" and needed.absent_id = asked."absentId"
          and needed.subject_id is not distinct from asked."subjectId" and needed.half = wanted.half)) as "isNeeded",
      exists (select from workday_away away where away.day = ${day}::date and away.staff_id = asked."staffId"
        and away.half between asked."fromHalf" and asked."toHalf") as "isAway",
      exists (select from academic_section_teacher own join academic_section its on its.id = own.section_id
        join staff_employment spell on spell.staff_id = own.staff_id
          and ${day}::date between spell.joined_on and coalesce(spell.last_day, 'infinity')
        where own.staff_id = asked."staffId" and its.branch_id = section.branch_id
          and ${day}::date between own.effective_from and coalesce(own.effective_to, 'infinity')) as "isTeacher"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as asked ("sectionId" integer, "subjectId" integer,
      "absentId" integer, "staffId" integer, "fromHalf" smallint, "toHalf" smallint)
    left join academic_section section on section.id = asked."sectionId" and ${inReach(ctx)}
    left join academic_grade grade on grade.id = section.grade_id
    left join configuration_subject subject on subject.id = asked."subjectId"
    order by asked."sectionId", asked."subjectId" nulls first, asked."fromHalf"`.execute(ctx.db);
  return checked;
}

/** A register or subject as its substitute reads it. */
function classOf({
  section,
  subject,
  fromHalf,
  toHalf,
}: Pick<CheckedRow, 'section' | 'subject' | 'fromHalf' | 'toHalf'>) {
  const own = subject
    ? text`${{ subject }} in ${{ section: section ?? '' }}`
    : text`the register of ${{ section: section ?? '' }}`;
  if (fromHalf !== toHalf) return own;
  return fromHalf === 1 ? text`${{ lesson: own }} (first half)` : text`${{ lesson: own }} (second half)`;
}

const classesOf = (rows: readonly Parameters<typeof classOf>[0][]) =>
  rows.map(classOf).reduce((before, own) => text`${{ before }}, ${{ own }}`);

const placeOf = ({ section, subject }: Pick<CheckedRow, 'section' | 'subject'>) =>
  [section, subject].filter(Boolean).join(' ');

export const give: Handler<typeof coverApi.give> = async (ctx, { day, rows }) => {
  if (day < toLocalDate(ctx.now())) throw new AppError('conflict', coverMessages.past);
  const checked = await checkRows(ctx, day, rows);
  if (checked.some(({ yearId }) => yearId === null)) throw new AppError('not_found', notFoundMessage);
  if (checked.some(({ isNeeded }) => !isNeeded)) throw new AppError('conflict', coverMessages.there);
  if (checked.some(({ isTeacher }) => !isTeacher)) throw new AppError('conflict', coverMessages.notTeacher);
  if (checked.some(({ isAway }) => isAway)) throw new AppError('conflict', coverMessages.away);
  const made = await insertCovers(ctx, day, checked);
  await auditAll(
    ctx,
    checked.map((row, index) => ({
      action: 'cover.given',
      entity: 'cover',
      entityId: made[index]?.id ?? 0,
      version: 1,
      details: { Day: showDate(day), Section: placeOf(row) },
    })),
  );
  for (const [staffId, own] of Map.groupBy(checked, (row) => row.staffId))
    await notify(ctx, {
      to: { staff: [staffId] },
      kind: 'cover.given',
      text: text`You take ${{ sections: classesOf(own) }} on ${{ day: showDate(day) }}`,
      path: `/school-erp/attendance/student-attendance?day=${day}`,
      key: `cover ${day} ${made.map(({ id }) => id).join(' ')}`,
    });
  return { ids: made.map(({ id }) => id) };
};

async function insertCovers(ctx: UserContext, day: string, rows: readonly CheckedRow[]) {
  try {
    return await ctx.db
      .insertInto('cover')
      .values(
        rows.map(({ yearId, sectionId, subjectId, absentId, staffId, fromHalf, toHalf }) => ({
          academic_year_id: yearId ?? 0,
          day,
          section_id: sectionId,
          subject_id: subjectId,
          from_half: fromHalf,
          to_half: toHalf,
          absent_id: absentId,
          staff_id: staffId,
          given_by: ctx.user.staffId,
          given_at: ctx.now(),
        })),
      )
      .returning('id')
      .execute();
  } catch (error) {
    throw constraintRefusal(ctx, { table: 'cover', fields: {} }, error) ?? error;
  }
}

interface Ended {
  id: number;
  day: string;
  staffId: number;
  version: number;
  section: string;
  subject: string;
  fromHalf: number;
  toHalf: number;
}

/** Cancels covers that are given, and tells who had them. */
export async function endCovers(ctx: ActingContext, ids: readonly number[]) {
  const { rows } = await sql<Ended>`
    update cover set state = 'Cancelled', version = cover.version + 1
    from academic_section section, academic_grade grade
    where cover.id = any(${[...ids]}::integer[]) and cover.state = 'Given' and section.id = cover.section_id
      and grade.id = section.grade_id
    returning cover.id, cover.day::text as day, cover.staff_id as "staffId", cover.version,
      cover.from_half as "fromHalf", cover.to_half as "toHalf",
      academic_section_name(grade.name, section.name) as section,
      coalesce((select name from configuration_subject where id = cover.subject_id), '') as subject`.execute(ctx.db);
  await auditAll(
    ctx,
    rows.map((row) => ({
      action: 'cover.cancelled',
      entity: 'cover',
      entityId: row.id,
      version: row.version,
      details: { Day: showDate(row.day), Section: placeOf(row) },
    })),
  );
  for (const own of Map.groupBy(rows, ({ staffId, day }) => `${staffId} ${day}`).values()) {
    const [first] = own;
    if (first)
      await notify(ctx, {
        to: { staff: [first.staffId] },
        kind: 'cover.cancelled',
        text: text`You no longer take ${{ sections: classesOf(own) }} on ${{ day: showDate(first.day) }}`,
        path: '/school-erp/attendance/student-attendance',
        key: `cover ${first.day} ${own.map(({ id }) => id).join(' ')} ended`,
      });
  }
  return rows.length;
}

export const cancel: Handler<typeof coverApi.cancel> = async (ctx, { id, version }) => {
  const { rows } = await sql<{ version: number; state: string; day: string }>`
    select cover.version, cover.state, cover.day::text as day from cover
    join academic_section section on section.id = cover.section_id
    where cover.id = ${id} and ${inReach(ctx)} for update of cover`.execute(ctx.db);
  const [found] = rows;
  if (!found) throw new AppError('not_found', notFoundMessage);
  requireVersion(found, version);
  if (found.day < toLocalDate(ctx.now())) throw new AppError('conflict', coverMessages.past);
  await endCovers(ctx, [id]);
  return {};
};

/**
 * Cancels the covers from today on of people who are there after all, once; returns how many. What was taken already is
 * kept: a cover whose register is taken, and one of the first half after noon.
 */
async function endUnneeded(ctx: ActingContext, staffIds: readonly number[]): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select cover.id from cover where cover.absent_id = any(${[...staffIds]}::integer[]) and cover.state = 'Given'
      and cover.day >= ${toLocalDate(ctx.now())}::date
      and not (cover.day = ${toLocalDate(ctx.now())}::date and cover.to_half = 1 and ${toLocalTime(ctx.now())} >= '12:00')
      and not (cover.subject_id is null and exists (select from attendance_register register
        where register.section_id = cover.section_id and register.day = cover.day
          and register.half between cover.from_half and cover.to_half and register.taken_by = cover.staff_id))
      and not exists (select from workday_away away where away.day = cover.day and away.staff_id = cover.absent_id
        and away.half between cover.from_half and cover.to_half)
    order by cover.id for update`.execute(ctx.db);
  return rows.length === 0
    ? 0
    : endCovers(
        ctx,
        rows.map(({ id }) => id),
      );
}

/** A member of staff who is at work after all takes their own classes again. */
export const answerAtWork = answer(atWorkHook, { by: 'cover', step: 7 }, (ctx, { staffIds }) =>
  endUnneeded(ctx, staffIds),
);
