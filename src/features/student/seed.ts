import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';

const girls = 'Aanya Diya Ira Jhanvi Kavya Mahi Naisha Pari Riddhi Saanvi Tara Urvi Vidhi Yashvi Zara'.split(' ');
const boys = 'Aarav Bhavya Dhruv Het Ishaan Jay Kabir Laksh Manav Neel Om Parth Rudra Shaurya Vivaan'.split(' ');
const families = 'Chauhan Desai Gandhi Joshi Khan Mehta Modi Parekh Patel Rathod Shah Solanki Trivedi Vyas'.split(' ');

/** How many children of each grade the demo has, and how many of them have no section yet. */
const perGrade = 44;
const unplaced = 4;

/** The students of the grades that have sections this year, most of them in a section. */
export async function seed({ db }: Context) {
  const grades = await db
    .selectFrom('academic_section as section')
    .innerJoin('academic_year as year', 'year.id', 'section.academic_year_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .where('year.status', '=', 'Current')
    .select(['section.academic_year_id', 'section.branch_id', 'section.program_id', 'section.grade_id'])
    .select(['year.starts_on', 'grade.position'])
    .distinct()
    .orderBy('grade.position')
    .execute();
  const children = grades.flatMap(({ starts_on, position: _, ...place }, grade) =>
    Array.from({ length: perGrade }, (_, n) => {
      const number = grade * perGrade + n;
      const isGirl = n % 2 === 0;
      const names = isGirl ? girls : boys;
      const born = Date.UTC(2020 - grade, 2, 1) - ((number * 37) % 360) * 86_400_000;
      return {
        place: { ...place, joined_on: starts_on },
        row: {
          branch_id: place.branch_id,
          gr_no: String(4001 + number),
          first_name: names[(number * 7) % names.length] ?? '',
          last_name: families[(number * 5 + grade) % families.length] ?? '',
          gender: isGirl ? 'F' : 'M',
          birth_date: new Date(born).toISOString().slice(0, 10),
        },
      };
    }),
  );
  const students = await db
    .insertInto('student')
    .values(children.map(({ row }) => row))
    .returning(['id', 'gr_no'])
    .execute();
  const idOf = new Map(students.map(({ id, gr_no }) => [gr_no, id]));
  await db
    .insertInto('student_enrollment')
    .values(
      children.map(({ place, row }) => ({
        ...place,
        student_id: idOf.get(row.gr_no) ?? 0,
        admission_type: 'Existing',
      })),
    )
    .execute();
  // Half of a grade sits in each section, in the order of the alphabet; the last few have none yet.
  await sql`insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id,
      section_id, roll_no, effective_from)
    select own.id, own.student_id, own.academic_year_id, own.branch_id, own.program_id, own.grade_id, section.id,
      row_number() over (partition by section.id order by lower(student.first_name), lower(student.last_name), student.id),
      own.joined_on
    from (select *, row_number() over (partition by grade_id order by id) as place from student_enrollment) own
    join student on student.id = own.student_id
    join academic_section section on section.academic_year_id = own.academic_year_id and section.grade_id = own.grade_id
      and section.name = case when (own.place / 2) % 2 = 0 then 'A' else 'B' end
    where own.place <= ${perGrade - unplaced}`.execute(db);
}
