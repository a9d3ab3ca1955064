import type { Database } from '#kit/server/database.ts';

const grades = ['Nursery', 'LKG', 'UKG', ...Array.from({ length: 12 }, (_, index) => `Grade ${index + 1}`)];

/** Sectors and their specialties, for the parents' work. */
const careers: Record<string, string[]> = {
  'Agriculture and food': ['Farming', 'Dairy and livestock', 'Food processing'],
  'Architecture and construction': ['Architecture', 'Civil engineering', 'Construction work', 'Interior design'],
  'Arts, media and communication': ['Design', 'Film and music', 'Journalism', 'Photography'],
  'Business and administration': ['Human resources', 'Management', 'Office administration', 'Own business'],
  'Education and training': ['Coaching and tuition', 'Higher education', 'School teaching'],
  'Finance and accounts': ['Accounting', 'Banking', 'Insurance'],
  'Government and public service': ['Administration', 'Defence', 'Police', 'Railways'],
  Health: ['Dentistry', 'Medicine', 'Nursing', 'Pharmacy'],
  'Hotels and tourism': ['Hotels and restaurants', 'Travel'],
  'Information technology': ['Networks and support', 'Software', 'Web and data'],
  'Law and security': ['Advocacy', 'Security services'],
  Manufacturing: ['Diamonds and jewellery', 'Machines and metal', 'Textiles'],
  'Sales and marketing': ['Marketing', 'Retail', 'Wholesale'],
  'Science and engineering': ['Chemistry', 'Electrical engineering', 'Mechanical engineering', 'Research'],
  'Transport and logistics': ['Driving', 'Shipping', 'Warehousing'],
};

interface School {
  name: string;
  city: string;
  phone: string;
  email: string;
}

/** The lists without which no inquiry can be made, if the database has none yet. Gives whether they were made. */
export async function seedSchool(db: Database, school: School, firstYear: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('academic_school')
    .values({
      ...school,
      hours: 'Monday to Saturday, 9 am to 4 pm',
      hospital_text:
        'In a medical emergency the school takes the child to the nearest hospital and rings the parents and the ' +
        'emergency contacts at once. Treatment that cannot wait is begun on the doctor’s advice.',
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) return false;

  const year = (start: number, isCurrent: boolean) => ({
    name: `${start}-${String(start + 1).slice(2)}`,
    starts_on: `${start}-06-01`,
    ends_on: `${start + 1}-05-31`,
    is_current: isCurrent,
  });
  await db
    .insertInto('academic_year')
    .values([year(firstYear, true), year(firstYear + 1, false)])
    .execute();
  await db
    .insertInto('academic_board')
    .values(['CBSE', 'GSEB', 'Cambridge'].map((name) => ({ name })))
    .execute();
  await db
    .insertInto('academic_program')
    .values(['Regular', 'Day boarding'].map((name) => ({ name })))
    .execute();
  await db
    .insertInto('academic_grade')
    .values(grades.map((name, position) => ({ name, position, age_years: position + 3 })))
    .execute();
  const sectors = await db
    .insertInto('academic_career')
    .values(Object.keys(careers).map((name) => ({ name })))
    .returning(['id', 'name'])
    .execute();
  await db
    .insertInto('academic_career')
    .values(
      sectors.flatMap(({ id, name }) => (careers[name] ?? []).map((specialty) => ({ name: specialty, sector_id: id }))),
    )
    .execute();
  return true;
}
