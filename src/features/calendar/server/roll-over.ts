import { sql } from 'kysely';
import pg from 'pg';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import { copyGradeSubjects } from '#features/subject/api.ts';
import { copyTeachers } from '#features/teaching/api.ts';
import { AppError, fieldRefusal, notFoundMessage, staleMessage } from '#kit/contract/errors.ts';
import { enteredOf } from '#kit/contract/master.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { column } from '#kit/server/master/sql.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { audit } from '#kit/server/security/audit.ts';
import { closedYearMessage, yearMaster } from '../contract/masters.ts';
import { type RollOverPart, rollOverApi, termOutside, yearIsEarlier } from '../contract/roll-over.ts';

interface Copied {
  added: number;
  alreadyThere: number;
  /** The entries that are not copied, with the reasons. */
  left?: { what: string; why: Text }[];
}

interface Years {
  fromId: number;
  toId: number;
}

/** Locks all years, so that no other request adds the same year or closes one. */
async function lockYears({ db }: UserContext) {
  // A row lock does not wait for rows that another request is adding.
  await sql`select pg_advisory_xact_lock(hashtext('academic_year'))`.execute(db);
  return db
    .selectFrom('academic_year')
    .select(['id', 'name', 'status', 'starts_on', 'ends_on', 'version'])
    .orderBy('id')
    .forUpdate()
    .execute();
}

const rollOver: Handler<typeof rollOverApi.rollOver> = (ctx, { confirmToken, ...input }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const done = await carryOver(ctx, input);
    return { answer: { ...done, left: done.left.slice(0, 100) }, basis: [input, done] };
  });

type Input = Omit<Parameters<typeof rollOver>[1], 'confirmToken'>;

async function carryOver(ctx: UserContext, { id, parts, ...values }: Input) {
  const years = await lockYears(ctx);
  const from = years.find((year) => year.id === id);
  if (!from) throw new AppError('not_found', notFoundMessage);
  const existing = years.find(({ name }) => name === values.name);
  const startsOn = existing?.starts_on ?? values.startsOn;
  if (startsOn <= from.ends_on) throw fieldRefusal(existing ? 'name' : 'startsOn', yearIsEarlier);
  if (existing?.status === 'Closed') throw fieldRefusal('name', closedYearMessage);

  const toId = existing?.id ?? (await makeYear(ctx, values));
  const wanted = (Object.keys(copies) as RollOverPart[]).filter((part) => parts.split(',').includes(part));
  const counted: ({ part: RollOverPart } & Copied)[] = [];
  // Five at most; each needs what the previous one has copied.
  for (const part of wanted) counted.push({ part, ...(await copies[part](ctx, { fromId: id, toId })) });
  const details = Object.fromEntries(counted.map(({ part, added }) => [part, added]));
  await audit(ctx, {
    action: 'academic-year.rolled-over',
    entity: 'academic_year',
    entityId: toId,
    details: { from: from.name, to: values.name, ...details },
  });
  return {
    isNew: !existing,
    parts: counted.map(({ part, added, alreadyThere: kept }) => ({ part, added, alreadyThere: kept })),
    left: counted.flatMap(({ left = [] }) => left),
  };
}

const makeYear = (ctx: UserContext, values: Pick<Input, 'name' | 'startsOn' | 'endsOn' | 'ageCutoffOn'>) =>
  withConstraintMessages(ctx, yearMaster, async () => {
    const { id } = await ctx.db
      .insertInto('academic_year')
      .values({
        name: values.name,
        starts_on: values.startsOn,
        ends_on: values.endsOn,
        age_cutoff_on: values.ageCutoffOn,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });

/** Terms move by whole years, so they keep day and month. */
async function copyTerms({ db }: UserContext, { fromId, toId }: Years): Promise<Copied> {
  const moved = sql`
    select own.name, (own.starts_on + years.apart)::date as starts_on, (own.ends_on + years.apart)::date as ends_on
    from academic_term own,
      (select make_interval(years => extract(year from later.starts_on)::integer
          - extract(year from year.starts_on)::integer) as apart
        from academic_year year, academic_year later where year.id = ${fromId} and later.id = ${toId}) as years
    where own.academic_year_id = ${fromId} and own.is_active`;
  const { rows } = await sql<{ name: string; is_there: boolean; fits: boolean }>`
    with moved as (${moved}), judged as (
      select moved.*,
        exists (select 1 from academic_term one where one.academic_year_id = ${toId}
          and lower(one.name) = lower(moved.name)) as is_there,
        moved.starts_on >= year.starts_on and moved.ends_on <= year.ends_on
          and not exists (select 1 from academic_term one where one.academic_year_id = ${toId}
            and daterange(one.starts_on, one.ends_on, '[]') && daterange(moved.starts_on, moved.ends_on, '[]')) as fits
      from moved join academic_year year on year.id = ${toId}),
    made as (insert into academic_term (academic_year_id, name, starts_on, ends_on)
      select ${toId}, name, starts_on, ends_on from judged where fits and not is_there returning id)
    select name, is_there, fits from judged order by starts_on`.execute(db);
  return {
    added: rows.filter((row) => row.fits && !row.is_there).length,
    alreadyThere: rows.filter((row) => row.is_there).length,
    left: rows.filter((row) => !row.fits && !row.is_there).map(({ name }) => ({ what: name, why: termOutside })),
  };
}

/** The sections whose grade, program and branch are still in use. */
async function copySections({ db }: UserContext, { fromId, toId }: Years): Promise<Copied> {
  const names = enteredOf(sectionMaster).map(([name]) => name);
  const columns = sql.join(names.filter((name) => name !== 'academicYearId').map(column));
  const { rows } = await sql<Copied>`
    with own as (
      select section.*, exists (select 1 from academic_section later where later.academic_year_id = ${toId}
        and later.branch_id = section.branch_id and later.program_id = section.program_id
        and later.grade_id = section.grade_id and lower(later.name) = lower(section.name)) as is_there
      from academic_section section
      join academic_grade grade on grade.id = section.grade_id and grade.is_active
      join academic_program program on program.id = section.program_id and program.is_active
      join academic_branch branch on branch.id = section.branch_id and branch.is_active
      where section.academic_year_id = ${fromId} and section.is_active),
    made as (insert into academic_section (academic_year_id, ${columns})
      select ${toId}, ${columns} from own where not is_there returning id)
    select (select count(*) from made) as added, count(*) filter (where is_there) as "alreadyThere" from own`.execute(
    db,
  );
  return rows[0] ?? { added: 0, alreadyThere: 0 };
}

async function copyWeeklyOff({ db }: UserContext, { fromId, toId }: Years): Promise<Copied> {
  const { rows } = await sql<Copied>`
    with made as (insert into academic_calendar
        (academic_year_id, monday, tuesday, wednesday, thursday, friday, saturday, sunday)
      select ${toId}, monday, tuesday, wednesday, thursday, friday, saturday, sunday
      from academic_calendar where academic_year_id = ${fromId}
      on conflict do nothing returning academic_year_id)
    select (select count(*) from made) as added,
      (select count(*) from academic_calendar where academic_year_id = ${toId}) as "alreadyThere"`.execute(db);
  return rows[0] ?? { added: 0, alreadyThere: 0 };
}

const copies: Record<RollOverPart, (ctx: UserContext, years: Years) => Promise<Copied>> = {
  Terms: copyTerms,
  Sections: copySections,
  'Weekly offs': copyWeeklyOff,
  'Subjects of grades': (ctx, { fromId, toId }) => copyGradeSubjects(ctx, fromId, toId),
  Teachers: (ctx, { fromId, toId }) => copyTeachers(ctx, fromId, toId),
};

const discard: Handler<typeof rollOverApi.discard> = async (ctx, { id, version }) => {
  const year = (await lockYears(ctx)).find((one) => one.id === id);
  if (!year) throw new AppError('not_found', notFoundMessage);
  if (year.version !== version) throw new AppError('stale', staleMessage);
  if (year.status !== 'Planned') throw new AppError('conflict', staleMessage);
  try {
    // In one statement, so that a remaining reference rolls back all of it.
    await sql`with
        teachers as (delete from academic_section_teacher where academic_year_id = ${id}),
        subjects as (delete from configuration_grade_subject where academic_year_id = ${id}),
        days as (delete from academic_calendar_day where academic_year_id = ${id}),
        calendar as (delete from academic_calendar where academic_year_id = ${id}),
        terms as (delete from academic_term where academic_year_id = ${id}),
        sections as (delete from academic_section where academic_year_id = ${id})
      delete from academic_year where id = ${id}`.execute(ctx.db);
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '23503')
      throw new AppError('conflict', text`This year has enrolled students or inquiries, so it can’t be deleted.`);
    throw error;
  }
  const act = { action: 'academic-year.discarded', entity: 'academic_year', entityId: id };
  await audit(ctx, { ...act, details: { Name: year.name } });
  return {};
};

export default routes(rollOverApi, { rollOver, discard });
