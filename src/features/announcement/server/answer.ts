import { sql } from 'kysely';
import { AppError, fieldRefusal, notFoundMessage, staleMessage } from '#kit/contract/errors.ts';
import { english, text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { contains, readPage } from '#kit/server/list/pagination.ts';
import { tableFile } from '#kit/server/list/table-file.ts';
import { notFound } from '#kit/server/record/version.ts';
import { wordsOf } from '#kit/server/search.ts';
import { audit } from '#kit/server/security/audit.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import { announcementMessages as messages } from '../contract/announcement.ts';
import { answerApi, answerFilters, type ChildAnswer } from '../contract/answer.ts';
import { answersOf, askMessages } from '../contract/family-ask.ts';
import { isWritten } from './scope.ts';

const isNotOut = text`It is not published, so there is nothing to answer.`;
const noChild = text`It is not for this child.`;

/** Refuses what is no answer to an announcement. */
function requireAnswer(notice: { asks: string; options: string[] }, answer: string) {
  if (!answersOf(notice.asks, notice.options).includes(answer)) throw fieldRefusal('answer', askMessages.answer);
}

/**
 * The children of an announcement, of today or of the last day of its people. Before its release there are none: its
 * author may no longer lead them.
 */
const childrenOf = (ctx: Pick<Context, 'now'>, id: number) => sql`(
  select distinct student_id from announcement_pairs(${id}::integer, announcement_day(${id}::integer, ${toLocalDate(ctx.now())}::date))
  where exists (select from announcement where id = ${id}::integer and released_at is not null))`;

type Asked = { id: number; show: string; answer: string; text: string };

/** What was answered for each child of an announcement that the user keeps or wrote. */
async function answersTo(ctx: UserContext, { id, show, answer, text: number }: Asked) {
  const notice = await ctx.db
    .selectFrom('announcement as notice')
    .where('notice.id', '=', id)
    .where(isWritten(ctx))
    .select(['notice.id', 'notice.asks', 'notice.options'])
    .executeTakeFirstOrThrow(notFound);
  const version = number === '' ? null : Number(number);
  const counts = version === null ? sql`announcement_counting_answer` : sql`announcement_answer`;
  const rows = sql<{
    id: number;
    name: string;
    sort: string;
    section: string;
    roll_no: number | null;
    answer: string;
    differs: boolean;
    is_on_paper: boolean;
    at: Date | null;
    said: ChildAnswer['said'] | null;
  }>`(
    select child.id, child.name, lower(child.sort_name) as sort,
      coalesce(academic_section_name(grade.name, section.name), '') as section, place.roll_no,
      coalesce(given.answer, '') as answer, coalesce(given.differs, false) as differs,
      coalesce(given.is_on_paper, false) as is_on_paper, given.at,
      (select json_agg(json_build_object('by', coalesce(adult.name, person.name), 'answer', last.answer, 'note', last.note) order by last.id)
        from (select distinct on (one.guardian_id, one.staff_id is not null) one.* from ${counts} one
          where one.announcement_id = ${id} and one.student_id = child.id and ${version === null ? sql`true` : sql`one.version = ${version}`}
          order by one.guardian_id, one.staff_id is not null, one.id desc) as last
        left join guardian adult on adult.id = last.guardian_id
        left join staff person on person.id = last.staff_id) as said
    from ${childrenOf(ctx, id)} as own
    join student child on child.id = own.student_id
    left join student_on(announcement_day(${id}::integer, ${toLocalDate(ctx.now())}::date)) place on place.student_id = child.id
    left join academic_section section on section.id = place.section_id
    left join academic_grade grade on grade.id = section.grade_id
    left join announcement_answers(${id}::integer, ${version}::smallint) as given on given.student_id = child.id)`;
  const all = ctx.db.selectFrom(rows.as('child'));
  const conditions = {
    all: sql<boolean>`true`,
    unanswered: sql<boolean>`child.at is null`,
    answered: sql<boolean>`child.at is not null`,
    two: sql<boolean>`child.differs`,
  };
  const word = answerFilters.find((one) => one === show) ?? 'all';
  const found = all
    .where(conditions[word])
    .where(answer === '' ? sql<boolean>`true` : sql<boolean>`child.answer = ${answer}`);
  return { notice, all, found };
}

type Found = Awaited<ReturnType<typeof answersTo>>['found'];

const columns = (found: Found) =>
  found.select([
    'child.id',
    'child.name',
    'child.section',
    'child.roll_no as rollNo',
    'child.answer',
    'child.differs',
    'child.is_on_paper as isOnPaper',
    'child.at',
    'child.said',
  ]);

type Row = Omit<ChildAnswer, 'at' | 'said'> & { at: Date | null; said: ChildAnswer['said'] | null };
const shown = ({ at, said, ...row }: Row): ChildAnswer => ({ ...row, at: at?.toISOString() ?? '', said: said ?? [] });

const list: Handler<typeof answerApi.list> = async (ctx, { search, after, ...asked }) => {
  const { notice, all, found } = await answersTo(ctx, asked);
  const named = wordsOf(search).reduce(
    (some, word) => some.where(sql<boolean>`concat_ws(' ', child.name, child.section) ilike ${contains(word)}`),
    found,
  );
  const { rows, ...page } = await readPage(
    ctx.db,
    columns(named),
    { by: sql`child.sort`, as: 'text', id: 'child.id' },
    { after },
  );
  const counted = await all
    .select([
      sql<string>`child.answer`.as('answer'),
      sql<number>`count(*)::integer`.as('children'),
      sql<number>`(count(*) filter (where child.differs))::integer`.as('two'),
      sql<number>`(count(*) filter (where child.at is null))::integer`.as('unanswered'),
    ])
    .groupBy('child.answer')
    .execute();
  const sum = (key: 'children' | 'two' | 'unanswered') => counted.reduce((total, row) => total + row[key], 0);
  return {
    ...page,
    rows: rows.map(({ placed: _, ...row }) => shown(row)),
    figures: {
      children: sum('children'),
      unanswered: sum('unanswered'),
      two: sum('two'),
      // Answers to an earlier text may be others than those that are asked for now.
      answers: [
        ...new Set([...answersOf(notice.asks, notice.options), ...counted.flatMap(({ answer }) => answer || [])]),
      ].map((answer) => ({
        answer,
        children: counted.find((one) => one.answer === answer)?.children ?? 0,
      })),
    },
  };
};

const exported: Handler<typeof answerApi.export> = async (ctx, { as, ...asked }) => {
  const { found } = await answersTo(ctx, asked);
  const rows = (await columns(found)
    .orderBy(sql`child.section`)
    .orderBy(sql`child.roll_no nulls last`)
    .orderBy(sql`child.sort`)
    .orderBy('child.id')
    .execute()) as Row[];
  const table = {
    name: 'answers',
    title: text`Answers`,
    heads: [
      text`Student`,
      text`Section`,
      text`Roll number`,
      text`Answer`,
      text`Two answers`,
      text`On paper`,
      text`Answered at`,
      text`By`,
      text`Note`,
    ],
    rows: rows.map((row) => {
      const { name, section, rollNo, answer, differs, isOnPaper, at, said } = shown(row);
      const by = said.map((one) => `${one.by}: ${one.answer}`).join('; ');
      const notes = said.flatMap(({ note }) => note || []).join('; ');
      return [name, section, rollNo ?? '', answer, differs ? 'Yes' : '', isOnPaper ? 'Yes' : '', at, by, notes];
    }),
  };
  const details = {
    rows: rows.length,
    as,
    show: asked.show || 'all',
    ...(asked.answer && { answer: asked.answer }),
    ...(asked.text && { text: asked.text }),
    columns: table.heads.map((head) => english(head)).join(', '),
  };
  const act = {
    action: 'announcement.exported',
    entity: 'announcement',
    entityId: asked.id,
    details,
    names: rows.length,
  };
  return takeNames(ctx, act, () => tableFile(ctx, table, as));
};

const enter: Handler<typeof answerApi.enter> = async (ctx, { id, number, studentId, answer, note }) => {
  const { db, now, user } = ctx;
  // The announcement before the answer: what it asks does not change while one is kept.
  const notice = await db
    .selectFrom('announcement as notice')
    .innerJoin('announcement_version as own', (join) =>
      join.onRef('own.announcement_id', '=', 'notice.id').onRef('own.number', '=', 'notice.current_version'),
    )
    .where('notice.id', '=', id)
    .where(isWritten(ctx))
    .select([
      'notice.asks',
      'notice.options',
      'notice.current_version',
      'notice.state',
      'notice.released_at',
      'own.title',
    ])
    .forShare('notice')
    .executeTakeFirstOrThrow(notFound);
  if (notice.state !== 'Ready' || !notice.released_at) throw new AppError('conflict', isNotOut);
  if (number !== notice.current_version) throw new AppError('stale', staleMessage);
  const { rows } = await sql`select from ${childrenOf(ctx, id)} as own where own.student_id = ${studentId}`.execute(db);
  if (rows.length === 0) throw new AppError('conflict', noChild);
  requireAnswer(notice, answer);
  await db
    .insertInto('announcement_answer')
    .values({
      announcement_id: id,
      version: notice.current_version,
      student_id: studentId,
      staff_id: user.staffId,
      answer,
      note,
      at: now(),
    })
    .execute();
  await audit(ctx, {
    action: 'announcement.answer-entered',
    entity: 'student',
    entityId: studentId,
    details: { Announcement: notice.title, Answer: answer, ...(note && { Note: note }) },
  });
  return {};
};

export const answerRoutes = routes(answerApi, { list, export: exported, enter });

/** Keeps what the guardian of a link answers for one child. Throws `not_found`, `conflict`, `stale`. */
export async function answerAs(
  ctx: Context & { holder: { id: number } },
  { id, number, studentId, answer }: { id: number; number: number; studentId: number; answer: string },
) {
  const { db, now, holder } = ctx;
  const today = toLocalDate(now());
  const { rows } = await sql<{
    isLive: boolean;
    asks: string;
    options: string[];
    title: string;
    until: string | null;
    from: number;
    last: number;
    isUndone: boolean;
    isTheirs: boolean;
  }>`
    select notice.state = 'Ready' and notice.publish_at <= ${now()} and coalesce(notice.expires_at > ${now()}, true) as "isLive",
      notice.asks, notice.options, words.title, notice.acknowledge_by::text as until, notice.counts_from as from,
      notice.current_version as last,
      exists (select from announcement_version own where own.announcement_id = notice.id and own.number = ${number}
        and own.is_reading_reset and own.number > notice.counts_from) as "isUndone",
      exists (select from announcement_children(array[notice.id], ${holder.id}, ${today}::date) as own
        where own.student_id = ${studentId}) as "isTheirs"
    from announcement notice
    join announcement_version words on words.announcement_id = notice.id and words.number = notice.current_version
    where notice.id = ${id} for share of notice`.execute(db);
  const [notice] = rows;
  if (!notice?.isTheirs) throw new AppError('not_found', notFoundMessage);
  if (!notice.isLive || !notice.until) throw new AppError('conflict', messages.hasEnded);
  if (number < notice.from || number > notice.last || notice.isUndone) throw new AppError('stale', messages.newText);
  if (notice.until < today) throw new AppError('conflict', askMessages.ended);
  requireAnswer(notice, answer);
  await sql`insert into announcement_answer (announcement_id, version, student_id, guardian_id, answer, at)
    values (${id}, ${number}, ${studentId}, ${holder.id}, ${answer}, ${now()})`.execute(db);
  await audit(ctx, {
    actor: 'Parent',
    action: 'announcement.answered',
    entity: 'student',
    entityId: studentId,
    details: { Announcement: notice.title, Answer: answer },
  });
  return {};
}
