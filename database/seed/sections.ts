import { sql } from 'kysely';
import type { Database } from '#kit/server/database/database.ts';

const subjects = [
  ['English', 'ENG', 'Language'],
  ['Gujarati', 'GUJ', 'Language'],
  ['Mathematics', 'MAT', 'Scholastic'],
  ['Environment', 'EVS', 'Scholastic'],
  ['Art', 'ART', 'Co-scholastic'],
  ['Physical education', 'PE', 'Activity'],
] as const;

const girls = 'Aanya Diya Ira Jhanvi Kavya Mahi Naisha Pari Riddhi Saanvi Tara Urvi Vidhi Yashvi Zara'.split(' ');
const boys = 'Aarav Bhavya Dhruv Het Ishaan Jay Kabir Laksh Manav Neel Om Parth Rudra Shaurya Vivaan'.split(' ');
const families = 'Chauhan Desai Gandhi Joshi Khan Mehta Modi Parekh Patel Rathod Shah Solanki Trivedi Vyas'.split(' ');

/** How many children of each grade the demo has, and how many of them have no section yet. */
const perGrade = 44;
const unplaced = 4;

/** Sections of the first grades with their children, subjects and teachers, as a school has them in the middle of a year. */
export async function seedSections(db: Database) {
  const grades = await db
    .selectFrom('academic_grade')
    .where('name', 'in', ['Grade 1', 'Grade 2', 'Grade 3'])
    .select(['id', 'name'])
    .orderBy('position')
    .execute();
  const years = await db
    .selectFrom('academic_year')
    .select(['id', 'starts_on', 'status'])
    .orderBy('starts_on')
    .execute();
  const { id: programId } = await db
    .selectFrom('academic_program')
    .where('name', '=', 'Regular')
    .select('id')
    .executeTakeFirstOrThrow();
  const { id: branchId } = await db.selectFrom('academic_branch').select('id').executeTakeFirstOrThrow();
  const made = await db
    .insertInto('configuration_subject')
    .values(subjects.map(([name, code, kind]) => ({ name, code, short_name: code, kind })))
    .returning(['id', 'name'])
    .execute();
  const place = (yearId: number, gradeId: number) => ({
    academic_year_id: yearId,
    branch_id: branchId,
    program_id: programId,
    grade_id: gradeId,
  });
  await db
    .insertInto('configuration_grade_subject')
    .values(
      years.flatMap(({ id: year }) =>
        grades.flatMap(({ id: grade }) =>
          made.map(({ id }) => ({
            academic_year_id: year,
            program_id: programId,
            grade_id: grade,
            subject_id: id,
            is_compulsory: true,
          })),
        ),
      ),
    )
    .execute();
  const sections = await db
    .insertInto('academic_section')
    .values(
      years.flatMap(({ id: year }) =>
        grades.flatMap(({ id: grade }) =>
          ['A', 'B'].map((name) => ({ ...place(year, grade), name, capacity: 24, medium: 'English' })),
        ),
      ),
    )
    .returning(['id', 'academic_year_id', 'branch_id', 'program_id', 'grade_id', 'name'])
    .execute();
  const current = years.find(({ status }) => status === 'Current');
  if (!current) return;
  const here = sections.filter((section) => section.academic_year_id === current.id);
  await seedTeachers(db, here, current.starts_on, made[0]?.id ?? 0);
  await seedStudents(db, here, current, grades);
  await seedElectives(db, { yearId: current.id, programId, gradeId: grades.at(-1)?.id ?? 0 });
  // Every tenth child is in a team.
  await sql`insert into tag_link (tag_id, entity_type, entity_id)
    select tag.id, 'Student', student.id from configuration_tag tag, student
    where tag.name = 'Sports' and student.id % 10 = 0`.execute(db);
}

type Section = Record<'id' | 'academic_year_id' | 'branch_id' | 'program_id' | 'grade_id', number> & { name: string };

async function seedTeachers(db: Database, sections: Section[], from: string, subjectId: number) {
  const staff = await db.selectFrom('staff').select(['id', 'name']).orderBy('id').execute();
  const of = (section: Section, staffId: number) => {
    const { id, name: _, ...place } = section;
    return { ...place, section_id: id, staff_id: staffId, effective_from: from };
  };
  // One section has nobody yet, so that the list of what is missing is not empty.
  const led = sections
    .slice(0, -1)
    .map((section, index) => of(section, staff[(index % (staff.length - 1)) + 1]?.id ?? 0));
  await db
    .insertInto('academic_section_teacher')
    .values([
      ...led.map((row) => ({ ...row, role: 'Class teacher' })),
      ...led.map((row) => ({ ...row, role: 'Subject teacher', subject_id: subjectId, periods_per_week: 6 })),
    ])
    .execute();
}

async function seedStudents(
  db: Database,
  sections: Section[],
  year: { id: number; starts_on: string },
  grades: { id: number }[],
) {
  const [first] = sections;
  if (!first) return;
  const { branch_id, program_id } = first;
  const children = grades.flatMap(({ id: gradeId }, grade) =>
    Array.from({ length: perGrade }, (_, n) => {
      const number = grade * perGrade + n;
      const isGirl = n % 2 === 0;
      const names = isGirl ? girls : boys;
      const born = Date.UTC(2020 - grade, 2, 1) - ((number * 37) % 360) * 86_400_000;
      return {
        gradeId,
        row: {
          branch_id,
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
      children.map(({ gradeId, row }) => ({
        student_id: idOf.get(row.gr_no) ?? 0,
        academic_year_id: year.id,
        branch_id,
        program_id,
        grade_id: gradeId,
        admission_type: 'Existing',
        joined_on: year.starts_on,
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

const hobbies = [
  ['Music', 'MUS'],
  ['Chess', 'CHS'],
  ['Dance', 'DNC'],
] as const;

/** The highest grade chooses one hobby of three; every sixth child has not yet. */
async function seedElectives(db: Database, at: { yearId: number; programId: number; gradeId: number }) {
  const group = await db
    .insertInto('configuration_elective_group')
    .values({ name: 'Hobby', min_choices: 1, max_choices: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const made = await db
    .insertInto('configuration_subject')
    .values(hobbies.map(([name, code]) => ({ name, code, short_name: code, kind: 'Activity' })))
    .returning('id')
    .execute();
  const place = { academic_year_id: at.yearId, program_id: at.programId, grade_id: at.gradeId };
  await db
    .insertInto('configuration_grade_subject')
    .values(made.map(({ id }) => ({ ...place, subject_id: id, is_compulsory: false, elective_group_id: group.id })))
    .execute();
  const enrolled = await db
    .selectFrom('student_enrollment')
    .where('academic_year_id', '=', at.yearId)
    .where('grade_id', '=', at.gradeId)
    .select(['id as enrollment_id', 'student_id', 'academic_year_id', 'branch_id', 'program_id', 'grade_id'])
    .orderBy('id')
    .execute();
  await db
    .insertInto('student_subject')
    .values(
      enrolled.flatMap((one, index) =>
        index % 6 === 5 ? [] : [{ ...one, subject_id: made[index % made.length]?.id ?? 0 }],
      ),
    )
    .execute();
}
