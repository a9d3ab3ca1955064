import { sql } from 'kysely';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { AppError } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { auditEach } from '#kit/server/security/audit.ts';
import { manyApi } from '../contract/many.ts';
import { homeworkClosers, homeworkMessages } from '../contract/words.ts';
import { isGiver, isSeen, lockLoads, stateAt } from './delivery.ts';
import { homeworkSelected } from './list.ts';
import { findOver } from './load.ts';
import { withHomeworkMessages } from './rules.ts';

interface Chosen {
  id: number;
  version: number;
  name: string;
  sectionId: number;
  state: string;
  isGiver: boolean;
  /** May be given on the day of today. */
  mayGive: boolean;
  isPast: boolean;
  isDueOnHoliday: boolean;
  isOpenYear: boolean;
}

/** The selected homework, locked after its sections' loads. */
async function lockSelected(ctx: UserContext, ids: readonly number[]): Promise<Chosen[]> {
  const today = toLocalDate(ctx.now());
  await sql`select id from academic_year where id in (select academic_year_id from homework_section
    where id = any(${[...ids]}::integer[])) order by id for share`.execute(ctx.db);
  const { rows: sections } = await sql<{ id: number }>`
    select distinct section_id as id from homework_section where id = any(${[...ids]}::integer[])`.execute(ctx.db);
  await lockLoads(
    ctx,
    sections.map(({ id }) => id),
  );
  const { rows } = await sql<Chosen>`
    select given.id, given.version, given.section_id as "sectionId", ${stateAt(ctx.now())} as state,
      content.title || ', ' || academic_section_name(grade.name, section.name) as name, ${isGiver(ctx)} as "isGiver",
      homework_may_give(given.section_id, given.subject_id, ${ctx.user.staffId}, ${today}) as "mayGive",
      given.due_on < ${today}::date as "isPast", given.counts_until > given.due_on as "isDueOnHoliday", year.status <> 'Closed' as "isOpenYear"
    from homework_section given
    join homework content on content.id = given.homework_id
    join academic_section section on section.id = given.section_id
    join academic_grade grade on grade.id = given.grade_id
    join academic_year year on year.id = given.academic_year_id
    where given.id = any(${[...ids]}::integer[]) order by given.id for update of given`.execute(ctx.db);
  return rows;
}

interface Skipped {
  id: number;
  name: string;
  reason: Text;
}

const answerOf = (changed: readonly Chosen[], skipped: readonly Skipped[]) => ({
  answer: { changed: changed.length, skipped: skipped.slice(0, mostSkippedShown), skippedCount: skipped.length },
  basis: [changed.map(({ id, version }) => [id, version]), skipped.map(({ id, reason }) => [id, reason.id])],
  isRefused: changed.length === 0,
});

const split = (rows: readonly Chosen[], refusalOf: (row: Chosen) => Text | undefined) => {
  const skipped = rows.flatMap((row) => {
    const reason = refusalOf(row);
    return reason ? [{ id: row.id, name: row.name, reason }] : [];
  });
  const without = new Set(skipped.map(({ id }) => id));
  return { skipped, able: rows.filter(({ id }) => !without.has(id)) };
};

const closeMany: Handler<typeof manyApi.closeMany> = async (ctx, { selection, confirmToken }) =>
  closeSome(ctx, await homeworkSelected(ctx, selection), confirmToken);

const closeYear: Handler<typeof manyApi.closeYear> = async (ctx, { yearId, confirmToken }) => {
  const { rows: years } = await sql<{ phase: string }>`
    select academic_year_phase(year, ${toLocalDate(ctx.now())}::date) as phase from academic_year year
    where id = ${yearId}`.execute(ctx.db);
  const [year] = years;
  if (!year) throw notFound();
  if (year.phase !== 'Ended') throw new AppError('conflict', homeworkMessages.notEnded);
  const { rows } = await sql<{ id: number }>`select given.id from homework_section given
    where given.academic_year_id = ${yearId} and ${isSeen(ctx, homeworkClosers)} and ${stateAt(ctx.now())} = 'Published'
    order by given.id`.execute(ctx.db);
  if (rows.length === 0) throw new AppError('conflict', homeworkMessages.noneOfYear);
  return closeSome(
    ctx,
    rows.map(({ id }) => id),
    confirmToken,
  );
};

function closeSome(ctx: UserContext, ids: readonly number[], confirmToken: string | undefined) {
  const isPrincipal = ctx.user.sets.includes('principal');
  return previewOrApply(ctx, confirmToken, async () => {
    const { able, skipped } = split(await lockSelected(ctx, ids), (row) => {
      if (!row.isGiver && !isPrincipal) return homeworkMessages.notGiver;
      return row.state === 'Published' && row.isOpenYear ? undefined : homeworkMessages.notPublished;
    });
    const closed = able.map(({ id }) => id);
    await ctx.db
      .updateTable('homework_section')
      .where('id', '=', sql<number>`any(${closed}::integer[])`)
      .set({ state: 'Closed', closed_at: ctx.now(), version: sql`version + 1` })
      .execute();
    await auditEach(ctx, { action: 'homework.closed', entity: 'homework_section' }, closed);
    return answerOf(able, skipped);
  });
}

const overLimit = text`It passes the limit. Open it and give a reason.`;
const pastDue = text`Its due day is in the past. Open it and choose another one.`;

const publishMany: Handler<typeof manyApi.publishMany> = async (ctx, { selection, confirmToken }) => {
  const ids = await homeworkSelected(ctx, selection);
  const today = toLocalDate(ctx.now());
  return previewOrApply(ctx, confirmToken, () =>
    withHomeworkMessages(ctx, async () => {
      const { able, skipped } = split(await lockSelected(ctx, ids), (row) => {
        if (row.state !== 'Draft') return homeworkMessages.notDraft;
        if (!row.isGiver || !row.mayGive) return homeworkMessages.notMappedHere;
        if (row.isPast) return pastDue;
        return row.isDueOnHoliday ? homeworkMessages.noSchoolAtAll : undefined;
      });
      const published = able.map(({ id }) => id);
      await ctx.db
        .updateTable('homework_section')
        .where('id', '=', sql<number>`any(${published}::integer[])`)
        .set({
          state: 'Published',
          publish_at: ctx.now(),
          given_by: ctx.user.staffId,
          assigned_on: today,
          news: 'New',
          version: sql`version + 1`,
        })
        .execute();
      const over = (await findOver(ctx, published)).map(({ item }) => item.id);
      // What passes the limit stays a draft; the transaction shows nobody that it was published.
      await ctx.db
        .updateTable('homework_section')
        .where('id', '=', sql<number>`any(${over}::integer[])`)
        .set({ state: 'Draft', publish_at: null, given_by: null, news: null, version: sql`version - 1` })
        .execute();
      const done = able.filter(({ id }) => !over.includes(id));
      const late = able.filter(({ id }) => over.includes(id)).map(({ id, name }) => ({ id, name, reason: overLimit }));
      await auditEach(
        ctx,
        { action: 'homework.published', entity: 'homework_section' },
        done.map(({ id }) => id),
      );
      return answerOf(done, [...skipped, ...late]);
    }),
  );
};

export const manyRoutes = routes(manyApi, { closeMany, closeYear, publishMany });
