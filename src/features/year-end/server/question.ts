import { type RawBuilder, sql } from 'kysely';
import { requireOpen } from '#features/calendar/api.ts';
import { lookupRoutes } from '#features/school/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { toOutput, toRow } from '#kit/server/database/row-map.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { answerLookups, questionApi, questionFields, shownQuestion } from '../contract/question.ts';
import { ask, remind } from './ask.ts';
import { isReachedProposal } from './proposal.ts';

/** A year with the one after it, which its families are asked about. */
async function yearOf({ db }: Pick<Context, 'db'>, condition: RawBuilder<unknown>) {
  const { rows } = await sql<{
    id: number;
    name: string;
    startsOn: string;
    endsOn: string;
    closedAt: Date | null;
    next: { id: number; name: string } | null;
  }>`
    select year.id, year.name, year.starts_on::text as "startsOn", year.ends_on::text as "endsOn", year.closed_at as "closedAt",
      (select jsonb_build_object('id', id, 'name', name) from academic_year later
        where later.is_active and later.starts_on > year.ends_on order by later.starts_on limit 1) as next
    from academic_year year where year.is_active and ${condition}`.execute(db);
  return rows[0];
}

const read: Handler<typeof questionApi.read> = async (ctx, { yearId }) => {
  const { db, now } = ctx;
  const today = toLocalDate(now());
  const found = await yearOf(ctx, sql`year.id = coalesce(${yearId}::integer, academic_year_on(${today}::date))`);
  if (!found && yearId) throw notFound();
  const { rows: grades } = await sql<{ id: number; name: string; isActive: boolean }>`
    select id, name, is_active as "isActive" from academic_grade where next_grade_id is not null
    order by position, id`.execute(db);
  const question = found && (await questionOf(ctx, found.id));
  const { rows } = await sql<{
    asked: number;
    staying: number;
    leaving: number;
    notSure: number;
    differ: number;
    none: number;
  }>`
    select count(*)::integer as asked, count(*) filter (where answer = 'Staying')::integer as staying,
      count(*) filter (where answer = 'Leaving')::integer as leaving,
      count(*) filter (where answer = 'Not sure')::integer as "notSure",
      count(*) filter (where answer = 'Differ')::integer as differ, count(*) filter (where answer = '')::integer as none
    from year_proposal own where from_year_id = ${found?.id ?? 0} and ${isReachedProposal(ctx)}`.execute(db);
  const { closedAt: _, next = null, ...year } = found ?? {};
  return {
    year: found ? (year as { id: number; name: string; startsOn: string; endsOn: string }) : null,
    next,
    question: question ? toOutput(shownQuestion, question, {}) : null,
    state: !question ? '' : today < question.opens_on ? 'Later' : today > question.closes_on ? 'Over' : 'Open',
    grades,
    figures: rows[0] ?? { asked: 0, staying: 0, leaving: 0, notSure: 0, differ: 0, none: 0 },
  };
};

const questionOf = ({ db }: Pick<Context, 'db'>, yearId: number) =>
  db.selectFrom('year_question').where('from_year_id', '=', yearId).selectAll().executeTakeFirst();

const ofAllBranches = text`The question goes to families of all branches. Only staff of all branches change it.`;

const save: Handler<typeof questionApi.save> = async (ctx, { yearId, version, ...input }) => {
  const { db, now, user } = ctx;
  if (user.scope.branches.length > 0) throw new AppError('conflict', ofAllBranches);
  // Two who write the first question at once: the second waits here, and then finds the other's.
  await db
    .selectFrom('academic_year')
    .where('id', '=', yearId)
    .select('id')
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  const year = await yearOf(ctx, sql`year.id = ${yearId}::integer`);
  if (!year) throw notFound();
  requireOpen({ name: year.name, closed_at: year.closedAt });
  if (!year.next) throw new AppError('conflict', text`Add the academic year after ${{ year: year.name }} first.`);
  const before = await questionOf(ctx, yearId);
  requireVersion({ version: before?.version ?? 0 }, version ?? 0);
  requireDays(input, year, toLocalDate(now()), before?.closes_on);
  await requireGrades(ctx, input.gradeIds);
  const values = {
    ...toRow(questionFields, input),
    grade_ids: [...new Set(input.gradeIds)].toSorted((one, other) => one - other),
  };
  if (before)
    await db
      .updateTable('year_question')
      .set({ ...values, version: sql`version + 1` })
      .where('from_year_id', '=', yearId)
      .execute();
  else
    await db
      .insertInto('year_question')
      .values({ ...values, from_year_id: yearId, to_year_id: year.next.id })
      .execute();
  await audit(ctx, {
    action: 'year-question.saved',
    entity: 'academic_year',
    entityId: year.next.id,
    details: { Name: year.next.name, Opens: input.opensOn, 'Last day': input.closesOn, Question: input.words },
  });
  return {};
};

function requireDays(
  { opensOn, closesOn }: { opensOn: string; closesOn: string },
  { name, startsOn, endsOn }: { name: string; startsOn: string; endsOn: string },
  today: string,
  closed = '',
) {
  for (const [field, day] of [
    ['opensOn', opensOn],
    ['closesOn', closesOn],
  ] as const)
    if (day < startsOn || day > endsOn)
      throw fieldRefusal(
        field,
        text`${{ name }} is from ${{ from: showDate(startsOn) }} to ${{ to: showDate(endsOn) }}. Choose a day of it.`,
      );
  if (closesOn <= opensOn) throw fieldRefusal('closesOn', text`Choose a day after ${{ day: showDate(opensOn) }}.`);
  if (closesOn < today && closesOn !== closed)
    throw fieldRefusal('closesOn', text`This day has passed. Choose ${{ day: showDate(today) }} or later.`);
}

async function requireGrades({ db }: Pick<Context, 'db'>, gradeIds: readonly number[]) {
  const { rows } = await sql<{ name: string | null; isKnown: boolean }>`
    select grade.name, grade.id is not null as "isKnown" from unnest(${[...gradeIds]}::integer[]) as asked (id)
    left join academic_grade grade on grade.id = asked.id where grade.next_grade_id is null`.execute(db);
  const [first] = rows;
  if (first?.isKnown)
    throw fieldRefusal('gradeIds', text`${{ grade: first.name ?? '' }} is the last grade. Leave it out.`);
  if (first) throw notFound();
}

const answer: Handler<typeof questionApi.answer> = async (ctx, { id, toYearId, ...input }) => {
  const { db, user, now } = ctx;
  // The row before the answers, as families lock it.
  const year = await db
    .selectFrom('year_question as question')
    .innerJoin('academic_year as year', 'year.id', 'question.from_year_id')
    .where('question.to_year_id', '=', toYearId)
    .select(['year.name', 'year.starts_on', 'year.ends_on', 'year.closed_at'])
    .forShare('question')
    .executeTakeFirstOrThrow(notFound);
  const { rows } = await sql`select from year_proposal own where own.to_year_id = ${toYearId} and own.student_id = ${id}
    and ${isReachedProposal(ctx)}`.execute(db);
  if (rows.length === 0) throw notFound();
  requireOpen(year);
  const isLeaving = input.answer === 'Leaving';
  if (isLeaving && input.lastDay && (input.lastDay < year.starts_on || input.lastDay > year.ends_on))
    throw fieldRefusal(
      'lastDay',
      text`${{ name: year.name }} is from ${{ from: showDate(year.starts_on) }} to ${{ to: showDate(year.ends_on) }}. Choose a day of it.`,
    );
  await db
    .insertInto('year_answer')
    .values({
      to_year_id: toYearId,
      student_id: id,
      staff_id: user.staffId,
      answer: input.answer,
      last_day: (isLeaving && input.lastDay) || null,
      reason_id: isLeaving ? input.reasonId : null,
      next_school: isLeaving ? input.nextSchool : '',
      made_at: now(),
    })
    .execute();
  await audit(ctx, {
    action: 'year-answer.given',
    entity: 'student',
    entityId: id,
    details: { Answer: input.answer, ...(isLeaving && input.lastDay && { 'Last day': input.lastDay }) },
  });
  return {};
};

const { reasons: _, ...own } = questionApi;
export const questionRoutes = [...lookupRoutes(...answerLookups), ...routes(own, { read, save, ask, remind, answer })];
