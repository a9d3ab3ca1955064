import { sql } from 'kysely';
import { clampToYear, readYear } from '#features/calendar/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { type Text, text } from '#kit/contract/text.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { type Table, tableFile } from '#kit/server/list/table-file.ts';
import { notFound } from '#kit/server/record/version.ts';
import { containsText } from '#kit/server/search.ts';
import { readHistory } from '#kit/server/security/history.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import { classList, mostStudents, type PlacedStudent, sectionStudentApi } from '../../contract/section-student.ts';
import { autoAssign } from './auto-assign.ts';
import { enrolledOf, readSections, studentsOf } from './grade-people.ts';
import { move } from './move.ts';
import { promote, promotion } from './promotion.ts';
import { promotionList, promotions } from './promotion-list.ts';
import { lock, number, numberAll, setRoll } from './roll-number.ts';
import { undoPromotion } from './undo-promotion.ts';

const grades: Handler<typeof sectionStudentApi.grades> = async (ctx, { academicYearId }) => {
  await readYear(ctx, academicYearId);
  const rows = await ctx.db
    .selectFrom('academic_grade as grade')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('academic_section as section')
          .whereRef('section.grade_id', '=', 'grade.id')
          .where('section.academic_year_id', '=', academicYearId)
          .where('section.is_active', '=', true)
          .select('section.id'),
      ),
    )
    .select('grade.id')
    .orderBy('grade.position')
    .execute();
  return rows.map(({ id }) => id);
};

const overview: Handler<typeof sectionStudentApi.overview> = async (ctx, filter) => {
  const year = await readYear(ctx, filter.academicYearId);
  const on = clampToYear(ctx, year, filter.on);
  const [sections, { count }] = await Promise.all([
    readSections(ctx, filter, on),
    studentsOf(ctx, filter, null, on)
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  const shown = sections.map(({ grade: _, program_id: __, branch_id: ___, ...section }) => section);
  return { on, isClosed: year.status === 'Closed', sections: shown, unplaced: count };
};

const students: Handler<typeof sectionStudentApi.students> = async (ctx, { sectionId, search, ...filter }) => {
  const on = clampToYear(ctx, await readYear(ctx, filter.academicYearId), filter.on);
  const rows = await studentsOf(ctx, filter, sectionId, on)
    .$if(search !== '', (query) => query.where(containsText(sql`concat_ws(' ', student.name, student.gr_no)`, search)))
    .select([
      'enrollment.id',
      'enrollment.student_id',
      'student.gr_no',
      'student.name',
      'student.gender',
      'own.roll_no',
      'own.effective_from',
    ])
    .select('own.effective_to')
    .select(['program.name as program', sql<number>`count(*) over ()`.as('total')])
    .orderBy(sql`own.roll_no nulls last`)
    .orderBy('student.sort_name')
    .orderBy('student.id')
    .limit(mostStudents)
    .execute();
  return {
    students: rows.map((row) => ({
      id: row.id,
      studentId: row.student_id,
      name: row.name,
      grNo: row.gr_no,
      gender: row.gender as PlacedStudent['gender'],
      rollNo: row.roll_no,
      program: row.program,
      since: row.effective_from ?? '',
      until: row.effective_to ?? '',
    })),
    total: rows[0]?.total ?? 0,
  };
};

const genders: Record<string, string> = { F: 'Girl', M: 'Boy', T: 'Transgender' };

const exportAll: Handler<typeof sectionStudentApi.export> = async (ctx, { sectionId, what, as, ...filter }) => {
  const year = await readYear(ctx, filter.academicYearId);
  const on = clampToYear(ctx, year, filter.on);
  const facts: [Text, string][] = [
    [text`Year`, year.name],
    [text`On`, showDate(on)],
  ];
  const give = (table: Pick<Table, 'name' | 'title' | 'heads' | 'rows'>, names: number) => {
    const details = { rows: table.rows.length, what, as, day: on };
    const act = { action: 'section-student.exported', entity: 'academic_year', entityId: year.id, details };
    return takeNames(ctx, { ...act, names }, () => tableFile(ctx, { ...table, facts }, as));
  };
  if (what === 'strength') {
    const sections = await readSections(ctx, { academicYearId: year.id }, on);
    const heads = [
      text`Grade`,
      text`Section`,
      text`Program`,
      text`Branch`,
      text`Girls`,
      text`Boys`,
      text`Total`,
      text`Capacity`,
      text`Free seats`,
    ];
    const rows = sections.map((section) => [
      section.grade,
      section.name,
      section.program,
      section.branch,
      section.girls,
      section.boys,
      section.strength,
      section.capacity,
      section.capacity - section.strength,
    ]);
    return give({ name: 'strength', title: text`Section strength`, heads, rows }, 0);
  }
  const enrolled = enrolledOf(ctx, filter, on).where('enrollment.joined_on', '<=', on);
  const rows = await (sectionId === null ? enrolled : enrolled.where('own.section_id', '=', sectionId))
    .leftJoin('academic_section as section', 'section.id', 'own.section_id')
    .leftJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .select(['own.roll_no', 'student.gr_no', 'student.name', 'student.gender', 'student.birth_date'])
    .select(({ fn }) => fn<string | null>('academic_section_name', ['grade.name', 'section.name']).as('section'))
    .orderBy(sql`lower(section.name) nulls last`)
    .orderBy(sql`own.roll_no nulls last`)
    .orderBy('student.sort_name')
    .orderBy('student.id')
    .limit(10_000)
    .execute();
  const cells = rows.map((row) => [
    row.section,
    row.roll_no,
    row.gr_no,
    row.name,
    genders[row.gender] ?? '',
    row.birth_date,
  ]);
  const table = { name: 'class-list', title: text`Class list`, heads: Object.values(classList), rows: cells };
  return give(table, cells.length);
};

const history: Handler<typeof sectionStudentApi.history> = async (ctx, asked) => {
  await ctx.db.selectFrom('student').where('id', '=', asked.id).select('id').executeTakeFirstOrThrow(notFound);
  return readHistory(ctx, 'student', asked);
};

const handlers = {
  grades,
  overview,
  students,
  move,
  autoAssign,
  number,
  numberAll,
  setRoll,
  lock,
  promotion,
  promote,
  undoPromotion,
  promotions,
  promotionList,
  history,
  export: exportAll,
};
export default routes(sectionStudentApi, handlers);
