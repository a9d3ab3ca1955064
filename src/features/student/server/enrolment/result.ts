import { type RawBuilder, sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { lockYearForShare, readYear, requireOpen } from '#features/calendar/api.ts';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { toOutput } from '#kit/server/database/row-map.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { requireVersion } from '#kit/server/record/version.ts';
import { containsName } from '#kit/server/search.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { readSetting } from '#kit/server/settings.ts';
import { resultCorrectors } from '../../contract/correct-result.ts';
import { completedReason } from '../../contract/leaving.ts';
import { type ResultDecision, resultApi, resultList, resultMessages, resultWriters } from '../../contract/result.ts';
import { resultsFrom } from '../settings.ts';

/** The first open year that has ended, else that of today: the one whose results are decided. */
const decidedYear = (today: string) => sql<number>`coalesce(
  (select id from academic_year where is_active and status = 'Open' and ends_on < ${today}::date order by starts_on limit 1),
  academic_year_on(${today}::date))`;

/** The sections that a teacher leads on the last day of a year. */
const ledAtTheEnd = (user: UserContext['user']) =>
  user.sets.includes('classTeacher')
    ? sql<boolean>`place.section_id in (select led.section_id from academic_section_teacher led
        where led.staff_id = ${user.staffId} and led.subject_id is null and led.academic_year_id = own.academic_year_id
          and led.effective_from <= year.ends_on and coalesce(led.effective_to, year.ends_on) >= year.ends_on)`
    : sql<boolean>`false`;

const officeWriters = resultWriters.map((grant) => ({
  ...grant,
  sets: grant.sets.filter((set) => set !== 'classTeacher'),
}));

/** True of the enrolments, called `own` and with their `place` of the last day, on which the user decides. */
const isDecidedBy = (user: UserContext['user']) =>
  sql<boolean>`(${inScope(user, officeWriters, { branch: sql`own.branch_id` })} or ${ledAtTheEnd(user)})`;

interface ResultPlace {
  section_id: number | null;
  name: string;
  roll_no: number | null;
}

interface Later {
  id: number | null;
  grade: string | null;
  status: string | null;
}

/** The place of the last day and the enrolment of a later year: of each child alone, or of all children of a year at once. */
interface Joined {
  place: (yearId: RawBuilder<number>) => RawBuilder<ResultPlace>;
  later: (yearId: RawBuilder<number>) => RawBuilder<Later>;
  on: (alias: 'place' | 'later') => RawBuilder<boolean>;
}
const ofEach: Joined = {
  place: () => sql<ResultPlace>`student_place(student.id, year.ends_on, year.id)`,
  later: () => sql<Later>`(select there.id, to_grade.name as grade, there.status
    from student_enrollment there join academic_grade to_grade on to_grade.id = there.grade_id
    join academic_year later on later.id = there.academic_year_id and later.starts_on > year.ends_on
    where there.student_id = own.student_id and there.is_standing order by later.starts_on limit 1)`,
  on: () => sql<boolean>`true`,
};
const ofAll: Joined = {
  place: (yearId) => sql<ResultPlace>`(select each.* from academic_year ended
    cross join lateral student_places(ended.ends_on, ended.id) each where ended.id = ${yearId})`,
  later: (yearId) => sql<Later>`(select distinct on (there.student_id) there.student_id, there.id,
      to_grade.name as grade, there.status
    from student_enrollment there join academic_grade to_grade on to_grade.id = there.grade_id
    join academic_year later on later.id = there.academic_year_id
      and later.starts_on > (select ends_on from academic_year where id = ${yearId})
    where there.is_standing order by there.student_id, later.starts_on)`,
  on: (alias) =>
    alias === 'place'
      ? sql<boolean>`place.student_id = own.student_id`
      : sql<boolean>`later.student_id = own.student_id`,
};

/** The children of a year’s last day with what was decided, what it leads to, and their enrolment of a later year. */
export const selectResults = ({ db }: Pick<Context, 'db'>, yearId: RawBuilder<number>, joined = ofEach) =>
  db
    .selectFrom('student_enrollment as own')
    .innerJoin('student', 'student.id', 'own.student_id')
    .innerJoin('academic_year as year', 'year.id', 'own.academic_year_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'own.grade_id')
    .leftJoin('academic_grade as next', 'next.id', 'grade.next_grade_id')
    .leftJoin('student_result as result', 'result.enrollment_id', 'own.id')
    .leftJoinLateral(joined.place(yearId).as('place'), (join) => join.on(joined.on('place')))
    .leftJoinLateral(joined.later(yearId).as('later'), (join) => join.on(joined.on('later')))
    .where('own.academic_year_id', '=', yearId)
    .where('own.is_standing', '=', true)
    .where(sql<boolean>`(own.left_on is null or own.left_on >= year.ends_on)`);

/** Nothing has written the decision yet, and the child was not placed in a later year by hand. */
const isOpen = sql<boolean>`(own.status = 'Active' and later.id is null)`;

const states = {
  'No decision yet': sql<boolean>`(result.enrollment_id is null and ${isOpen})`,
  'Not promoted': sql<boolean>`(coalesce(result.decision, 'Promote') <> 'Promote' or own.status in ('Detained', 'Left'))`,
  Written: sql<boolean>`(not ${isOpen})`,
};

const leadsTo = sql<string | null>`case when later.id is not null then later.grade when own.status = 'Left' then null
  when result.decision = 'Leave' then null when result.decision = 'Detain' then grade.name else next.name end`;

const { routes: resultListRoutes, selected: resultsSelected } = serveList(resultList, async (ctx, { yearId = '' }) => {
  const { user, db, now } = ctx;
  const asked = Number(yearId) > 0 ? sql<number>`${Number(yearId)}::integer` : decidedYear(toLocalDate(now()));
  const year = await db
    .selectFrom('academic_year')
    .where('id', '=', asked)
    .select(['name', 'ends_on', 'status'])
    .executeTakeFirst();
  const query = selectResults(ctx, asked, ofAll)
    .where(isDecidedBy(user))
    .select(['own.id', 'own.student_id', 'student.name', 'student.gr_no', 'own.status', 'place.name as section'])
    .select(['place.roll_no', 'result.decision', 'result.reason', 'result.conduct', 'result.progress'])
    .select(['result.decided_by', 'result.decided_at', 'result.version', 'later.id as later_id'])
    .leftJoin('year_proposal as proposal', 'proposal.enrollment_id', 'own.id')
    .select([leadsTo.as('leadsTo'), isOpen.as('is_open'), 'proposal.answer as family'])
    .select(
      sql<boolean>`(own.status in ('Promoted', 'Detained') and later.status = 'Active'
        and ${inScope(user, resultCorrectors, { branch: sql`own.branch_id` })}) is true`.as('may_correct'),
    );
  type Row = Awaited<ReturnType<(typeof query)['executeTakeFirstOrThrow']>>;
  const from = year && addDays(year.ends_on, -(await readSetting(ctx, resultsFrom)));
  const mayDecide = year?.status === 'Open' && from !== undefined && from <= toLocalDate(now());
  return {
    query,
    id: 'own.id',
    isPeople: true,
    isCountedAtOnce: true,
    ...(year && { of: { name: year.name, facts: [[text`Academic year`, year.name] as [Text, string]] } }),
    matches: (word) => sql`(${containsName('student', word)} or lower(student.gr_no) like lower(${contains(word)}))`,
    tabs: { all: undefined },
    filters: {
      // It chooses the rows above.
      yearId: () => sql<boolean>`true`,
      gradeId: (id) => sql`own.grade_id = ${Number(id)}`,
      sectionId: (id) => sql`place.section_id = ${Number(id)}`,
      branchId: (id) => sql`own.branch_id = ${Number(id)}`,
      decision: (word) => sql`result.decision = ${word}`,
      family: (word) => sql`proposal.answer = ${word}`,
      state: (word) => states[word as keyof typeof states],
    },
    sorts: { name: { by: sql`student.sort_name`, as: 'text' } },
    toRows: async (rows: Row[]) =>
      rows.map(({ is_open: isRowOpen, later_id: _, may_correct: mayCorrect, ...row }) =>
        toOutput(resultList.row, row, {
          by: row.decided_by ?? '',
          decidedOn: row.decided_at ? toLocalDate(row.decided_at) : '',
          standing: isRowOpen ? 'Open' : row.status === 'Active' ? 'In the new year' : row.status,
          version: row.version ?? 0,
          mayDecide: mayDecide && isRowOpen,
          mayCorrect,
        }),
      ),
  };
});

export interface Decided {
  decision: ResultDecision;
  reason: string;
  conduct: string;
  progress: string;
}

/** Throws unless results of this year are decided now: it is open, and its last day is near enough. */
export async function requireResultsOpen(ctx: Pick<Context, 'db' | 'now'>, yearId: number) {
  await lockYearForShare(ctx, yearId);
  const year = await readYear(ctx, yearId);
  requireOpen(year, 'result');
  const from = addDays(year.ends_on, -(await readSetting(ctx, resultsFrom)));
  if (from > toLocalDate(ctx.now()))
    throw new AppError(
      'conflict',
      text`Results of ${{ year: year.name }} are entered from ${{ day: showDate(from) }}.`,
    );
  return year;
}

/** The enrolments of a year with these ids on which the user decides, locked in the order of their ids. */
export async function lockResults(ctx: UserContext, yearId: number, ids: readonly number[]) {
  await sql`select id from student_enrollment where id = any(${[...ids]}::integer[]) order by id for update`.execute(
    ctx.db,
  );
  return selectResults(ctx, sql<number>`${yearId}::integer`)
    .where('own.id', '=', sql<number>`any(${[...ids]}::integer[])`)
    .where(isDecidedBy(ctx.user))
    .select(['own.id', 'own.student_id', 'own.academic_year_id', 'student.name', 'student.gr_no', 'next.id as next_id'])
    .select(['result.id as result_id', 'result.version', 'result.decision', 'result.reason', 'result.conduct'])
    .select(['result.progress', isOpen.as('is_open')])
    .orderBy('own.id')
    .execute();
}
export type LockedResult = Awaited<ReturnType<typeof lockResults>>[number];

/** The decision as it is kept: who completes the last class leaves for that reason. */
export const withReason = (row: Pick<LockedResult, 'next_id'>, decided: Decided): Decided =>
  decided.decision === 'Leave' && decided.reason === '' && row.next_id === null
    ? { ...decided, reason: english(completedReason) }
    : decided;

export const lacksReason = ({ decision, reason }: Decided) => decision !== 'Promote' && reason === '';

/** Writes decisions in one statement, and what they were into the log. */
export async function writeResults(
  ctx: UserContext,
  rows: readonly { row: LockedResult; decided: Decided }[],
  source: 'Hand' | 'Import',
): Promise<Map<number, number>> {
  const { db, user, now } = ctx;
  const input = rows.map(({ row, decided }) => ({ id: row.id, year: row.academic_year_id, ...decided }));
  const { rows: written } = await sql<{ id: number; enrollmentId: number }>`
    insert into student_result (enrollment_id, academic_year_id, decision, reason, conduct, progress, source, decided_by,
      decided_at)
    select id, year, decision, reason, conduct, progress, ${source}, ${user.name}, ${now()}
    from jsonb_to_recordset(${JSON.stringify(input)}::jsonb)
      as input (id integer, year integer, decision text, reason text, conduct text, progress text)
    on conflict (enrollment_id) do update set decision = excluded.decision, reason = excluded.reason,
      conduct = excluded.conduct, progress = excluded.progress, source = excluded.source,
      decided_by = excluded.decided_by, decided_at = excluded.decided_at, version = student_result.version + 1
    returning id, enrollment_id as "enrollmentId"`.execute(db);
  await auditAll(
    ctx,
    rows.map(({ row, decided }) => ({
      action: 'result.decided',
      entity: 'student',
      entityId: row.student_id,
      details: {
        Student: row.name,
        Decision:
          row.decision && row.decision !== decided.decision
            ? `${row.decision} → ${decided.decision}`
            : decided.decision,
        ...(decided.reason && { Reason: decided.reason }),
        ...(decided.conduct && { Conduct: decided.conduct }),
        ...(decided.progress && { Progress: decided.progress }),
      },
    })),
  );
  return new Map(written.map(({ id, enrollmentId }) => [enrollmentId, id]));
}

const decide: Handler<typeof resultApi.decide> = async (ctx, { id, version, ...typed }) => {
  // Nobody hears of a child out of reach, not even that its year is open.
  const known = await selectResults(ctx, sql<number>`own.academic_year_id`)
    .where('own.id', '=', id)
    .where(isDecidedBy(ctx.user))
    .select('own.academic_year_id')
    .executeTakeFirst();
  if (!known) throw new AppError('not_found', notFoundMessage);
  await requireResultsOpen(ctx, known.academic_year_id);
  const [row] = await lockResults(ctx, known.academic_year_id, [id]);
  if (!row) throw new AppError('not_found', notFoundMessage);
  if (!row.is_open) throw new AppError('conflict', resultMessages.isDecided);
  requireVersion({ version: row.version ?? 0 }, version);
  const decided = withReason(row, typed as Decided);
  if (lacksReason(decided)) throw fieldRefusal('reason', resultMessages.reason);
  await writeResults(ctx, [{ row, decided }], 'Hand');
  return {};
};

const decideMany: Handler<typeof resultApi.decideMany> = (ctx, { selection, confirmToken, ...typed }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const asked = typed as Decided;
    const ids = await resultsSelected(ctx, selection);
    const years = await ctx.db
      .selectFrom('student_enrollment')
      .where('id', '=', sql<number>`any(${ids}::integer[])`)
      .select('academic_year_id as id')
      .distinct()
      .execute();
    const [year, other] = years;
    if (!year || other) throw new AppError('conflict', text`Choose children of one academic year.`);
    await requireResultsOpen(ctx, year.id);
    const rows = await lockResults(ctx, year.id, ids);
    const kept = (row: LockedResult): Decided =>
      withReason(row, {
        ...asked,
        conduct: asked.conduct || (row.conduct ?? ''),
        progress: asked.progress || (row.progress ?? ''),
      });
    if (rows.some((row) => lacksReason(kept(row)))) throw fieldRefusal('reason', resultMessages.reason);
    const isSame = (row: LockedResult) =>
      (['decision', 'reason', 'conduct', 'progress'] as const).every((name) => kept(row)[name] === row[name]);
    const whySkipped = (row: LockedResult): Text | undefined =>
      !row.is_open ? resultMessages.isDecided : isSame(row) ? resultMessages.noChange : undefined;
    const changed = rows.filter((row) => !whySkipped(row));
    const skipped = rows.flatMap((row) => {
      const reason = whySkipped(row);
      return reason ? [{ id: row.id, name: row.name, reason }] : [];
    });
    if (changed.length > 0)
      await writeResults(
        ctx,
        changed.map((row) => ({ row, decided: kept(row) })),
        'Hand',
      );
    return {
      answer: {
        changed: changed.length,
        skipped: skipped.slice(0, mostSkippedShown),
        skippedCount: skipped.length,
      },
      basis: [selection, asked, changed.map(({ id, version }) => [id, version]), skipped.length],
      isRefused: changed.length === 0,
    };
  });

export const resultRoutes = [...routes(resultApi, { decide, decideMany }), ...resultListRoutes];
