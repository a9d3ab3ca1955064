import { sql } from 'kysely';
import { studentReaders } from '#access/contract/grants.ts';
import { percentOf } from '#features/attendance/api.ts';
import { partsSeen, readStudentHead, rosterOf, studentListSource, visibleStudents } from '#features/student/api.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { grantedEvents } from '#kit/server/events.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { grantedCards } from '#kit/server/record-cards.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import { sectionReportApi, studentReportApi, studentReportList } from '../contract/student.ts';
import { reportPaper } from './paper.ts';
import { type Chosen, spansOfStudent } from './periods.ts';
import { inReportOrder, serveReport } from './report.ts';

/** The section, or else the grade, of a student on a day. */
async function placeOn({ db }: UserContext, id: number, day: string) {
  const { rows } = await sql<{ sectionId: number | null; place: string; rollNo: number | null }>`
    select there.section_id as "sectionId", there.roll_no as "rollNo",
      coalesce(academic_section_name(grade.name, section.name), grade.name) as place
    from student_on(${day}) there join academic_grade grade on grade.id = there.grade_id
    left join academic_section section on section.id = there.section_id
    where there.student_id = ${id}`.execute(db);
  return rows[0];
}

async function readHead(ctx: UserContext, id: number, chosen: Chosen | undefined) {
  const head = await readStudentHead(ctx, { id });
  const today = toLocalDate(ctx.now());
  const last = chosen?.counted.to ?? today;
  // Of the present period, the place of today.
  const day = chosen && chosen.counted.from <= today && today < last ? today : last;
  const there = await placeOn(ctx, id, day);
  const beside = there?.sectionId ? await rosterOf(ctx, there.sectionId, day) : [];
  const index = beside.findIndex(({ studentId }) => studentId === id);
  return {
    ...head,
    day,
    place: there?.place ?? head.section,
    placeRollNo: there?.rollNo ?? null,
    previous: (index > 0 && beside[index - 1]?.studentId) || null,
    next: (index >= 0 && beside[index + 1]?.studentId) || null,
  };
}

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
  about: ({ grNo, place }) => [place, `GR ${grNo}`].filter(Boolean).join(', '),
});

/** The attendance of the year of today, in hundredths of a percent, of those students whose attendance the user reads. */
async function attendanceOf(ctx: UserContext, ids: readonly number[]) {
  const card = grantedCards(ctx, 'student').find(({ card }) => card.key === 'attendance')?.card;
  const today = toLocalDate(ctx.now());
  const year = await ctx.db
    .selectFrom('academic_year')
    .where('starts_on', '<=', today)
    .where('ends_on', '>=', today)
    .select(['id', 'starts_on'])
    .executeTakeFirst();
  if (!card || !year) return new Map<number, number | null>();
  const seen = await visibleStudents(ctx, ids, card.access);
  const totals = await percentOf(ctx, seen, { yearId: year.id, from: year.starts_on, to: today });
  return new Map(totals.map(({ studentId, perMille }) => [studentId, perMille === null ? null : perMille * 10]));
}

const { routes: listRoutes } = serveList(studentReportList, (ctx) => {
  const { tabs, filters, toRows, ...source } = studentListSource(ctx);
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
  const roster = await rosterOf(ctx, sectionId, days.to && days.to < today ? days.to : today);
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
