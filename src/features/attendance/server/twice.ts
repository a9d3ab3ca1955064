import { sql } from 'kysely';
import { lockOpenYear, readYear } from '#features/calendar/api.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import type { Context, Copied, CopiedYears, RollOver, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { stale } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type twiceApi, twiceMessages } from '../contract/twice.ts';

const idsOf = async ({ db }: Pick<Context, 'db'>, yearId: number) => {
  const rows = await db
    .selectFrom('attendance_twice')
    .where('academic_year_id', '=', yearId)
    .select('grade_id')
    .orderBy('grade_id')
    .execute();
  return rows.map(({ grade_id: id }) => id);
};

const listGrades = ({ db }: Pick<Context, 'db'>) =>
  db.selectFrom('academic_grade').select(['id', 'name', 'is_active as isActive']).orderBy('position').execute();

/** The ids that are in one of two lists only. */
const differenceOf = (one: readonly number[], other: readonly number[]) =>
  [...new Set([...one, ...other])].filter((id) => one.includes(id) !== other.includes(id));

export const readTwice: Handler<typeof twiceApi.read> = async (ctx, { academicYearId }) => {
  const { status } = await readYear(ctx, academicYearId);
  return { isClosed: status === 'Closed', grades: await listGrades(ctx), gradeIds: await idsOf(ctx, academicYearId) };
};

export const saveTwice: Handler<typeof twiceApi.save> = async (ctx, { academicYearId, gradeIds, before }) => {
  // Submissions of registers hold their year.
  const year = await lockOpenYear(ctx, academicYearId);
  const stored = await idsOf(ctx, academicYearId);
  if (differenceOf(stored, before).length > 0) throw stale();
  const changed = differenceOf(stored, gradeIds);
  if (changed.length === 0) return {};
  const grades = (await listGrades(ctx)).filter(({ id }) => changed.includes(id));
  if (grades.length < changed.length) throw new AppError('not_found', notFoundMessage);
  await refuseTaken(ctx, academicYearId, grades);
  await sql`delete from attendance_twice where academic_year_id = ${academicYearId}
    and grade_id <> all(${gradeIds}::integer[])`.execute(ctx.db);
  await sql`insert into attendance_twice (academic_year_id, grade_id)
    select ${academicYearId}, unnest(${gradeIds}::integer[]) on conflict do nothing`.execute(ctx.db);
  const named = (isTwice: boolean) =>
    grades
      .filter(({ id }) => gradeIds.includes(id) === isTwice)
      .map(({ name }) => name)
      .join(', ');
  const details = { year: year.name, twice: named(true), once: named(false) };
  await audit(ctx, { action: 'attendance.twice-saved', entity: 'academic_year', entityId: academicYearId, details });
  return {};
};

/** The registers of a day are all of one kind, so a change waits for a day without any. */
async function refuseTaken(ctx: UserContext, yearId: number, grades: readonly { id: number; name: string }[]) {
  const { rows } = await sql<{ id: number }>`
    select distinct grade_id as id from attendance_register
    where academic_year_id = ${yearId} and day >= ${toLocalDate(ctx.now())}
      and grade_id = any(${grades.map(({ id }) => id)}::integer[])`.execute(ctx.db);
  if (rows.length === 0) return;
  const names = grades.filter(({ id }) => rows.some((row) => row.id === id)).map(({ name }) => name);
  throw fieldRefusal('gradeIds', twiceMessages.taken(names.join(', ')));
}

async function copyTwice({ db }: UserContext, { fromId, toId }: CopiedYears): Promise<Copied> {
  const { rows } = await sql<Copied>`
    with own as (
      select twice.grade_id from attendance_twice twice join academic_grade grade on grade.id = twice.grade_id and grade.is_active
      where twice.academic_year_id = ${fromId}),
    made as (insert into attendance_twice (academic_year_id, grade_id) select ${toId}, grade_id from own
      on conflict do nothing returning grade_id)
    select (select count(*) from made) as added,
      (select count(*) from own) - (select count(*) from made) as "alreadyThere"`.execute(db);
  return rows[0] ?? { added: 0, alreadyThere: 0 };
}

export const copiedTwice: RollOver = {
  part: 'Registers a day',
  copy: copyTwice,
  discard: (yearId) => [sql`delete from attendance_twice where academic_year_id = ${yearId}`],
};
