import { sql } from 'kysely';
import { lockYearForShare } from '#features/calendar/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { atLocalHour, toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit, auditEach } from '#kit/server/security/audit.ts';
import type { homeworkApi } from '../contract/homework.ts';
import { homeworkGivers, homeworkMessages } from '../contract/words.ts';
import { columnsOf, copyFiles, saveDetails } from './content.ts';
import { isSeen, lockDelivery, lockLoads } from './delivery.ts';
import { requireReason } from './load.ts';
import { requireSchoolDay, withHomeworkMessages } from './rules.ts';

export interface When {
  publish: string;
  publishOn: string;
  publishHour: string;
}

/** The moment of publishing, null for a draft, and the day on which the homework is given. */
function momentOf({ now }: Pick<UserContext, 'now'>, { publish, publishOn, publishHour }: When) {
  const moment = now();
  const today = toLocalDate(moment);
  if (publish === 'Draft') return { publishAt: null, assignedOn: today };
  if (publish === 'Now') return { publishAt: moment, assignedOn: today };
  const publishAt = atLocalHour(publishOn, Number(publishHour.slice(0, 2)));
  if (publishAt <= moment) throw fieldRefusal('publishOn', homeworkMessages.moment);
  return { publishAt, assignedOn: publishOn };
}

interface Pair {
  sectionId: number;
  subjectId: number;
}

/** The sections that the user may give their subject to on a day, locked against others' homework; refuses all if one is not. */
async function takeSections(ctx: UserContext, pairs: readonly Pair[], day: string) {
  const [subjectId, other] = [...new Set(pairs.map((pair) => pair.subjectId))];
  if (subjectId === undefined || other !== undefined) throw fieldRefusal('pairs', homeworkMessages.oneSubject);
  const ids = [...new Set(pairs.map(({ sectionId }) => sectionId))].toSorted((one, next) => one - next);
  const sections = await ctx.db
    .selectFrom('academic_section as section')
    .innerJoin('academic_year as year', 'year.id', 'section.academic_year_id')
    .innerJoin('configuration_grade_subject as taught', (join) =>
      join
        .onRef('taught.academic_year_id', '=', 'section.academic_year_id')
        .onRef('taught.program_id', '=', 'section.program_id')
        .onRef('taught.grade_id', '=', 'section.grade_id')
        .on('taught.subject_id', '=', subjectId),
    )
    .where('section.id', '=', sql<number>`any(${ids}::integer[])`)
    .where('section.is_active', '=', true)
    .where(sql<boolean>`${day}::date between year.starts_on and year.ends_on`)
    .where(sql<boolean>`homework_may_give(section.id, ${subjectId}, ${ctx.user.staffId}, ${day})`)
    .select(['section.id', 'section.academic_year_id', 'section.branch_id', 'section.program_id', 'section.grade_id'])
    .orderBy('section.id')
    .execute();
  const [first] = sections;
  if (!first || sections.length < ids.length) throw fieldRefusal('pairs', homeworkMessages.notMapped);
  await lockYearForShare(ctx, first.academic_year_id);
  await lockLoads(ctx, ids);
  return { sections, subjectId, yearId: first.academic_year_id };
}

interface Delivered extends When {
  dueOn: string;
  lateUntil: string;
  overReason: string;
}

/** Adds the deliveries of a content to these sections; returns their ids. */
async function deliver(
  ctx: UserContext,
  { homeworkId, taken, studentIds = [] }: { homeworkId: number; taken: Taken; studentIds?: readonly number[] },
  asked: Delivered,
) {
  const { publishAt, assignedOn } = momentOf(ctx, asked);
  await requireSchoolDay(ctx, {
    dueOn: asked.dueOn,
    first: assignedOn,
    gradeIds: taken.sections.map(({ grade_id }) => grade_id),
  });
  return withHomeworkMessages(ctx, async () => {
    const rows = await ctx.db
      .insertInto('homework_section')
      .values(
        taken.sections.map(({ id, ...place }) => ({
          ...place,
          section_id: id,
          homework_id: homeworkId,
          subject_id: taken.subjectId,
          assigned_on: assignedOn,
          due_on: asked.dueOn,
          late_until: asked.lateUntil || null,
          is_for_all: studentIds.length === 0,
          ...(publishAt && { state: 'Published', publish_at: publishAt, given_by: ctx.user.staffId, news: 'New' }),
        })),
      )
      .returning('id')
      .execute();
    const ids = rows.map(({ id }) => id);
    if (studentIds.length > 0) await choose(ctx, ids, studentIds);
    await keepReason(ctx, ids, asked.overReason);
    const details = { due: showDate(asked.dueOn), publish: asked.publish };
    await auditEach(ctx, { action: 'homework.given', entity: 'homework_section', details }, ids);
    return ids;
  });
}
type Taken = Awaited<ReturnType<typeof takeSections>>;

/** Limits one delivery to some children of its section. */
async function choose({ db }: UserContext, ids: readonly number[], studentIds: readonly number[]) {
  const [id, another] = ids;
  if (id === undefined || another !== undefined) throw fieldRefusal('studentIds', homeworkMessages.chosenOne);
  const wanted = [...new Set(studentIds)];
  await db
    .insertInto('homework_chosen')
    .values(wanted.map((student_id) => ({ homework_section_id: id, student_id })))
    .execute();
  const { rows } = await sql`select from homework_roster(array[${id}::integer]) where standing = 'Given'`.execute(db);
  if (rows.length < wanted.length) throw fieldRefusal('studentIds', homeworkMessages.notHere);
}

/** Keeps the reason of the deliveries that pass the limit, and only of those. */
export async function keepReason(ctx: UserContext, ids: readonly number[], reason: string) {
  const over = await requireReason(ctx, ids, reason);
  await ctx.db
    .updateTable('homework_section')
    .where('id', '=', sql<number>`any(${[...ids]}::integer[])`)
    .set({ over_reason: sql`case when id = any(${over}::integer[]) then ${reason} else '' end` })
    .execute();
}

export const create: Handler<typeof homeworkApi.create> = async (ctx, { pairs, studentIds, copiedFrom, ...asked }) => {
  const { assignedOn } = momentOf(ctx, asked);
  const taken = await takeSections(ctx, pairs, assignedOn);
  const { id: homeworkId } = await ctx.db
    .insertInto('homework')
    .values({
      academic_year_id: taken.yearId,
      subject_id: taken.subjectId,
      owner_id: ctx.user.staffId,
      ...columnsOf(asked),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const ids = await deliver(ctx, { homeworkId, taken, studentIds }, asDelivered(asked));
  await saveDetails(ctx, homeworkId, asked);
  if (copiedFrom) await copyFiles(ctx, copiedFrom, homeworkId);
  return { ids, due: asked.dueOn };
};

const asDelivered = <Asked extends Omit<Delivered, 'publish'> & { publish: unknown }>(asked: Asked) => ({
  ...asked,
  publish: String(asked.publish),
});

export const publish: Handler<typeof homeworkApi.publish> = async (ctx, { id, version, ...asked }) => {
  const { given, content } = await lockDelivery(ctx, { id, version }, { access: homeworkGivers, locksLoad: true });
  if (given.state !== 'Draft') throw new AppError('conflict', homeworkMessages.notDraft);
  const { publishAt, assignedOn } = momentOf(ctx, asDelivered(asked));
  await requireSchoolDay(ctx, { dueOn: asked.dueOn, first: assignedOn, gradeIds: [given.grade_id] });
  const { rows } = await sql<{ isMapped: boolean }>`
    select homework_may_give(${given.section_id}, ${content.subject_id}, ${ctx.user.staffId}, ${assignedOn}) as "isMapped"`.execute(
    ctx.db,
  );
  if (!rows[0]?.isMapped) throw new AppError('conflict', homeworkMessages.notMappedHere);
  return withHomeworkMessages(ctx, async () => {
    const done = await ctx.db
      .updateTable('homework_section')
      .set({
        state: 'Published',
        publish_at: publishAt,
        given_by: ctx.user.staffId,
        assigned_on: assignedOn,
        due_on: asked.dueOn,
        late_until: asked.lateUntil || null,
        news: 'New',
        version: sql`version + 1`,
      })
      .where('id', '=', id)
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow();
    await keepReason(ctx, [id], asked.overReason);
    const details = { due: showDate(asked.dueOn), publish: String(asked.publish) };
    await audit(ctx, { action: 'homework.published', entity: 'homework_section', entityId: id, details });
    return done;
  });
};

export const copy: Handler<typeof homeworkApi.copy> = async (ctx, { id, pairs, ...asked }) => {
  const found = await ctx.db
    .selectFrom('homework_section as given')
    .where('given.id', '=', id)
    .where(isSeen(ctx, homeworkGivers))
    .select(['given.homework_id', 'given.subject_id', 'given.academic_year_id'])
    .executeTakeFirstOrThrow(notFound);
  const { assignedOn } = momentOf(ctx, asDelivered(asked));
  const taken = await takeSections(ctx, pairs, assignedOn);
  if (taken.subjectId !== found.subject_id || taken.yearId !== found.academic_year_id)
    throw fieldRefusal('pairs', homeworkMessages.oneSubject);
  await ctx.db.selectFrom('homework').where('id', '=', found.homework_id).select('id').forUpdate().execute();
  return { ids: await deliver(ctx, { homeworkId: found.homework_id, taken }, asDelivered(asked)) };
};
