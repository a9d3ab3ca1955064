import { sql } from 'kysely';
import { studentOptions } from '#features/student/api.ts';
import { hasTag } from '#features/tag/api.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toOutput } from '#kit/server/database/row-map.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { containsName } from '#kit/server/search.ts';
import { noteList, noteStudents, noteSubjects, noteTypes } from '../contract/note.ts';
import type { Polarity, Reach } from '../contract/words.ts';
import { noteAccess } from '../contract/words.ts';
import { isWithdrawn, isWritable, notesRead } from './readable.ts';

const open = sql`follow_up.note_id = note.id and follow_up.closed_on is null`;

/** The first open follow-up of a note, in words. */
const followUpWords = sql<string | null>`(select action.name || ', ' || owner.name
  from observation_follow_up follow_up join observation_action action on action.id = follow_up.action_id
  join staff owner on owner.id = follow_up.owner_id where ${open} order by follow_up.due_on, follow_up.id limit 1)`;

const isOverdue = (today: string) => sql<boolean>`exists (select from observation_follow_up follow_up
  where ${open} and follow_up.due_on < ${today}::date)`;

/** The notes with what a list shows of them: of a restricted or withdrawn one no text. */
const listed = (ctx: UserContext, today: string) =>
  notesRead(ctx)
    .innerJoin('observation_type as type', 'type.id', 'note.type_id')
    .leftJoin('academic_section as section', 'section.id', 'note.section_id')
    .leftJoin('academic_grade as grade', 'grade.id', 'note.grade_id')
    .select(['note.id', 'student.name as student', 'type.name as type'])
    .select([
      sql<Polarity>`note.polarity`.as('polarity'),
      sql<Reach>`note.reach`.as('reach'),
      // Not joined: its search key would be taken for the student’s.
      sql<string>`(select name from staff where id = note.author_id)`.as('author'),
      sql<string>`to_char(note.observed_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD')`.as('day'),
      sql<string>`coalesce(academic_section_name(grade.name, section.name), grade.name)`.as('section'),
      sql<string>`case when ${isWithdrawn} then '' else left(split_part(coalesce(note.note, ''), E'\n', 1), 160) end`.as(
        'first_line',
      ),
      followUpWords.as('follow_up'),
      isWithdrawn.as('is_withdrawn'),
      isOverdue(today).as('is_overdue'),
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof listed>['executeTakeFirstOrThrow']>>;

export const { routes: noteListRoutes } = serveList(noteList, (ctx) => {
  const today = toLocalDate(ctx.now());
  const { staffId, scope } = ctx.user;
  const sections = [...scope.led, ...scope.taught];
  return {
    query: listed(ctx, today),
    id: 'note.id',
    isPeople: true,
    // Of a restricted note the text is sealed, so that no search finds it.
    matches: (word) => sql<boolean>`(${containsName('student', word)}
      or note.note ilike ${contains(word)} and not ${isWithdrawn})`,
    tabs: {
      mine: sql<boolean>`note.author_id = ${staffId}`,
      sections: sql<boolean>`there.section_id = any(${sections}::integer[])`,
      followUps: sql<boolean>`exists (select from observation_follow_up follow_up
        where ${open} and follow_up.owner_id = ${staffId})`,
      all: undefined,
    },
    filters: {
      studentId: (id) => sql<boolean>`note.student_id = ${Number(id)}`,
      sectionId: (id) => sql<boolean>`note.section_id = ${Number(id)}`,
      typeId: (id) => sql<boolean>`note.type_id = ${Number(id)}`,
      subjectId: (id) => sql<boolean>`note.subject_id = ${Number(id)}`,
      polarity: (word) => sql<boolean>`note.polarity = ${word}`,
      followUp: (word) =>
        word === 'Overdue'
          ? isOverdue(today)
          : sql<boolean>`exists (select from observation_follow_up follow_up where ${open})`,
      reach: (word) => sql<boolean>`note.reach = ${word}`,
      tagId: (id) => hasTag(ctx, 'Observation', sql<number>`note.id`, Number(id)),
      authorId: (id) => sql<boolean>`note.author_id = ${Number(id)}`,
      yearId: (id) => sql<boolean>`note.academic_year_id = ${Number(id)}`,
    },
    sorts: { day: { by: sql`note.observed_at`, as: 'moment' } },
    isExported: sql<boolean>`note.reach <> 'Restricted'`,
    toRows: async (rows: Row[]) => rows.map((row) => toOutput(noteList.row, row, {})),
  };
});

const students: Handler<typeof noteStudents> = (ctx, asked) =>
  studentOptions(
    ctx,
    noteAccess,
    asked,
    sql`student.id in (select there.student_id from student_on(${toLocalDate(ctx.now())}) there where ${isWritable(ctx.user)})`,
  );

const types: Handler<typeof noteTypes> = ({ db }, { search, state, limit, chosenId }) =>
  db
    .selectFrom('observation_type')
    .where('for_whom', '=', 'Student')
    .where(
      sql<boolean>`(name ilike ${contains(search)} and (${state} = '' or is_active = (${state} = 'active')) or id = ${chosenId})`,
    )
    .select(['id', 'name', 'is_active as isActive'])
    .orderBy(sql`lower(name)`)
    .limit(limit)
    .execute();

const subjects: Handler<typeof noteSubjects> = async ({ db }, { search, state, limit, chosenId }) => {
  const { rows } = await sql<{ id: number; name: string; isActive: boolean }>`
    select id, name, is_active as "isActive" from configuration_subject
    where (name ilike ${contains(search)} and (${state} = '' or is_active = (${state} = 'active'))) or id = ${chosenId}
    order by id is distinct from ${chosenId}, lower(name), id limit ${limit}`.execute(db);
  return rows;
};

export const noteOptionRoutes = routes(
  { students: noteStudents, types: noteTypes, subjects: noteSubjects },
  { students, types, subjects },
);
