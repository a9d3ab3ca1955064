import { sql } from 'kysely';
import { studentReaders } from '#access/contract/grants.ts';
import { percentOf } from '#features/attendance/api.ts';
import {
  atOf,
  partsSeen,
  placesOf,
  readStudentHead,
  rosterOf,
  studentListSource,
  visibleStudents,
} from '#features/student/api.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { grantedEvents } from '#kit/server/events.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { notFound } from '#kit/server/record/version.ts';
import { grantedCards } from '#kit/server/record-cards.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import { sectionReportApi, studentReportApi, studentReportList } from '../contract/student.ts';
import { reportPaper } from './paper.ts';
import { type Chosen, spansOfStudent } from './periods.ts';
import { inReportOrder, serveReport } from './report.ts';

/** The class teacher of a section on a day, or ''. */
async function teacherOf({ db }: UserContext, sectionId: number | null, day: string) {
  const { rows } = await sql<{ name: string }>`
    select name from staff where id = academic_class_teacher(${sectionId}::integer, ${day}::date)`.execute(db);
  return rows[0]?.name ?? '';
}

async function readHead(ctx: UserContext, id: number, chosen: Chosen | undefined) {
  const head = await readStudentHead(ctx, { id });
  const today = toLocalDate(ctx.now());
  const last = chosen?.counted.to ?? today;
  // Of the present period, the place of today.
  const day = chosen && chosen.counted.from <= today && today < last ? today : last;
  const there = (await placesOf(ctx, [id], { day, yearId: null })).get(id);
  const beside = there?.sectionId ? await rosterOf(ctx, there.sectionId, day) : [];
  const index = beside.findIndex(({ studentId }) => studentId === id);
  return {
    ...head,
    day,
    section: (there?.sectionId && there.name) || '',
    rollNo: there?.rollNo ?? null,
    classTeacher: await teacherOf(ctx, there?.sectionId ?? null, there?.asOf ?? day),
    place: there?.name ?? '',
    placeRollNo: there?.rollNo ?? null,
    previous: (index > 0 && beside[index - 1]?.studentId) || null,
    next: (index >= 0 && beside[index + 1]?.studentId) || null,
  };
}

/** A phone shows the dues and the bus in the strip: whom to call, the attendance, the homework and the notes come first. */
const onRequest = ['fee', 'transport', 'ticket', 'announcement'];

const report = serveReport(studentReportApi, {
  record: 'student',
  readHead,
  seen: async (ctx, id) => {
    const [cards, events] = [grantedCards(ctx, 'student'), grantedEvents(ctx, 'student')];
    const accesses = [...cards.map(({ card }) => card.access), ...events.map(({ access }) => access)];
    const seen = new Set(await partsSeen(ctx, id, accesses));
    return {
      cards: cards.filter(({ card }) => seen.has(card.access)),
      events: events.filter(({ access }) => seen.has(access)),
    };
  },
  spansOf: spansOfStudent,
  isLater: ({ key, part }) => onRequest.includes(key) || (part !== 'now' && key !== 'homework'),
  about: ({ grNo, place }) => [place, `GR ${grNo}`].filter(Boolean).join(', '),
});

/**
 * The attendance of a year, by default that of today, in hundredths of a percent, of those students whose attendance the
 * user reads.
 */
async function attendanceOf(ctx: UserContext, ids: readonly number[], yearId: number) {
  const card = grantedCards(ctx, 'student').find(({ card }) => card.key === 'attendance')?.card;
  const today = toLocalDate(ctx.now());
  const { rows } = await sql<{ id: number; from: string; to: string }>`
    select id, starts_on as from, least(ends_on, ${today}::date) as to from academic_year
    where id = coalesce(nullif(${yearId}::integer, 0), academic_year_on(${today}::date))`.execute(ctx.db);
  const [year] = rows;
  if (!card || !year) return new Map<number, number | null>();
  const seen = await visibleStudents(ctx, ids, card.access);
  const totals = await percentOf(ctx, seen, { yearId: year.id, from: year.from, to: year.to });
  return new Map(totals.map(({ studentId, perMille }) => [studentId, perMille === null ? null : perMille * 10]));
}

const { routes: listRoutes } = serveList(studentReportList, async (ctx, query) => {
  const { tabs, filters, toRows, ...source } = await studentListSource(ctx, query);
  const { active, left, all } = tabs;
  const { yearId, gradeId, sectionId } = filters;
  return {
    ...source,
    tabs: { active, left, all },
    filters: { yearId, gradeId, sectionId },
    toRows: async (rows: Parameters<typeof toRows>[0]) => {
      const listed = await toRows(rows);
      const attendance = await attendanceOf(
        ctx,
        listed.map(({ id }) => id),
        Number(query.yearId ?? 0),
      );
      return listed.map((row) => ({ ...row, attendance: attendance.get(row.id) ?? null }));
    },
  };
});

const sectionCards: Handler<typeof sectionReportApi.cards> = async (ctx) =>
  inReportOrder(grantedCards(ctx, 'student').filter(({ card, read }) => read && !card.isRestricted)).map(
    ({ card: { key, title } }) => ({ key, title }),
  );

/** Papers of one section; a larger one does not exist. */
const mostStudents = 100;

const sectionPaper: Handler<typeof sectionReportApi.paper> = async (ctx, { sectionId, cards, ...days }) => {
  const today = toLocalDate(ctx.now());
  const section = await ctx.db
    .selectFrom('academic_section')
    .where('id', '=', sectionId)
    .select('academic_year_id')
    .executeTakeFirstOrThrow(notFound);
  const { day } = await atOf(ctx, section.academic_year_id, days.to && days.to < today ? days.to : today);
  const roster = await rosterOf(ctx, sectionId, day);
  const seen = new Set(
    await visibleStudents(
      ctx,
      roster.map(({ studentId }) => studentId),
      studentReaders,
    ),
  );
  const students = roster.filter(({ studentId }) => seen.has(studentId)).slice(0, mostStudents);
  const offered = await sectionCards(ctx, {});
  if (students.length === 0 || cards.some((key) => !offered.some((card) => card.key === key)))
    throw new AppError('not_found', notFoundMessage);
  const act = {
    action: 'report.section-list-printed',
    entity: 'academic_section',
    entityId: sectionId,
    details: { cards: cards.join(', '), rows: students.length },
    names: students.length,
  };
  return takeNames(ctx, act, async () => {
    const given = [];
    // One after another: a paper takes one connection.
    for (const { studentId } of students) {
      const own = await report.cardsOf(ctx, studentId);
      const chosen = own.cards.filter(({ card }) => !card.isRestricted && cards.includes(card.key));
      given.push(await report.onPaper(ctx, studentId, days, chosen));
    }
    return reportPaper(ctx, text`Reports of a section`, given);
  });
};

export const studentReportRoutes = [
  ...routes(sectionReportApi, { cards: sectionCards, paper: sectionPaper }),
  ...listRoutes,
  ...report.routes,
];
