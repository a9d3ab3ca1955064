import { sql } from 'kysely';
import type { Database } from '#kit/server/database/database.ts';

/** From the lowest grade on. */
export const grades = ['Nursery', 'LKG', 'UKG', ...Array.from({ length: 12 }, (_, index) => `Grade ${index + 1}`)];

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

/** The age of a child who starts in the lowest grade, in years; each further grade starts a year later. */
export const firstAge = 3;

function gradeOf(name: string, index: number) {
  const years = firstAge + index;
  const stage = years < 8 ? 'Foundational' : years < 11 ? 'Preparatory' : years < 14 ? 'Middle' : 'Secondary';
  return {
    name,
    code: name.startsWith('Grade') ? `G${name.slice(6)}` : name.slice(0, 3).toUpperCase(),
    stage,
    min_age_months: years * 12,
    is_internship_open: index >= grades.indexOf('Grade 8'),
  };
}

interface School {
  name: string;
  name_local?: string;
  address_local?: string;
  city: string;
  phone: string;
  email: string;
}

const hours = 'Monday to Saturday, 9 am to 4 pm';
const hospitalText =
  'In a medical emergency the school takes the child to the nearest hospital and calls the parents and the ' +
  'emergency contacts at once. Treatment that cannot wait is begun on the doctor’s advice.';

/** The same, as families read it who do not read English. */
const schoolWords = {
  gu: {
    hours: 'સોમવારથી શનિવાર, સવારે 9થી સાંજે 4',
    hospital_text:
      'તબીબી કટોકટીમાં શાળા બાળકને નજીકની હોસ્પિટલમાં લઈ જાય છે અને માતા-પિતાને તથા કટોકટીના સંપર્કોને તરત ફોન કરે છે. ' +
      'જે સારવારમાં રાહ જોઈ શકાય તેમ ન હોય તે ડૉક્ટરની સલાહ પ્રમાણે શરૂ કરવામાં આવે છે.',
  },
  hi: {
    hours: 'सोमवार से शनिवार, सुबह 9 से शाम 4 बजे',
    hospital_text:
      'मेडिकल इमरजेंसी में विद्यालय बच्चे को सबसे नज़दीकी अस्पताल ले जाता है और माता-पिता तथा आपातकालीन संपर्कों को तुरंत ' +
      'फ़ोन करता है। जिस इलाज में रुका नहीं जा सकता, वह डॉक्टर की सलाह पर शुरू किया जाता है।',
  },
};

/** Creates the lists that every inquiry needs, if the database has none yet. Returns whether it created them. */
export async function seedSchool(db: Database, school: School, firstYear: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('academic_school')
    .values({
      ...school,
      hours,
      hospital_text: hospitalText,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) return false;

  await db
    .insertInto('academic_school_words')
    .values(
      Object.entries(schoolWords).map(([language, words]) => ({
        ...words,
        language,
        hours_of: hours,
        hospital_text_of: hospitalText,
      })),
    )
    .execute();

  const year = (start: number) => ({
    name: `${start}-${String(start + 1).slice(2)}`,
    starts_on: `${start}-06-01`,
    ends_on: `${start + 1}-05-31`,
    age_cutoff_on: `${start}-06-01`,
  });
  await db
    .insertInto('academic_year')
    .values([year(firstYear), year(firstYear + 1)])
    .execute();
  const boards = await db
    .insertInto('academic_board')
    .values(['CBSE', 'GSEB', 'Cambridge'].map((name) => ({ name })))
    .returning(['id', 'name'])
    .execute();
  await db
    .insertInto('academic_program')
    .values(['Regular', 'Day boarding'].map((name) => ({ name, board_id: boards[0]?.id ?? 0 })))
    .execute();
  await db
    .insertInto('academic_grade')
    .values(grades.map((name, index) => ({ ...gradeOf(name, index), position: index + 1 })))
    .execute();
  // Children move up to the next grade.
  await db
    .updateTable('academic_grade as grade')
    .from('academic_grade as next')
    .whereRef('next.position', '=', sql<number>`grade.position + 1`)
    .set((row) => ({ next_grade_id: row.ref('next.id') }))
    .execute();
  await db.insertInto('academic_branch').values({ name: 'Main campus', code: 'MAIN' }).execute();
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
