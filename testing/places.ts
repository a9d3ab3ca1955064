import type { Endpoint } from '#kit/contract/endpoint.ts';
import type { Browser, Person } from './browser.ts';
import type { Answer } from './exchange.ts';

/** Names in outputs that say where a child is. */
const placeNames = ['place', 'section', 'grade', 'rollNo', 'classTeacher'];

/** What an operation says of where a child is; a name that it has not is absent. */
export interface Said {
  /** Grade and section, as "Grade 5, A". */
  place?: string;
  /** The section alone, as "A". */
  section?: string;
  rollNo?: number | null;
  classTeacher?: string;
}

/** The school of `src/app/one-place.test.ts` on one of its days. */
export interface PlacesAsked {
  children: readonly { id: number; grNo: string; name: string; birthDate: string }[];
  /** The year of the day, with its sections. */
  year: { id: number; startsOn: string; endsOn: string; sections: readonly { id: number; gradeId: number }[] };
  programId: number;
  /** Of each child a ticket that the principal raised. */
  tickets: readonly number[];
  admin: Person;
  office: Person;
  principal: Person;
  accountant: Person;
  incharge: Person;
  /** The family page of an adult of all the children. */
  family: Browser;
  link: string;
}

type Heard = [child: number, said: Said][];

/** Whom an operation shows: everybody, or those of the year of the day, of its roll, on a bus, of a family page, undecided. */
export type Shown = 'all' | 'year' | 'roll' | 'bus' | 'family' | 'undecided';
interface PlaceRead {
  shows: Shown;
  read: (asked: PlacesAsked) => Promise<Heard>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of many operations are read by their names.
type Json = any;

async function get(by: Browser, url: string): Promise<Json> {
  const answer: Answer = await by.send({ url: `/api${url}` });
  if (answer.status !== 200) throw new Error(`GET ${url} answers ${answer.status}: ${answer.text}`);
  // Asha is the child with one name, and each operation that shows children shows her.
  const gap = /.{20}Asha(?: {2}| (?=["',.;)])| null| undefined).{20}/.exec(answer.text);
  if (gap) throw new Error(`GET ${url} leaves room for a last name: ${gap[0]}`);
  return answer.json;
}

/** The rows of a list, each as a child with its place. */
const rowsOf = async (by: Browser, url: string, said: (row: Json) => Heard[number]): Promise<Heard> =>
  (await get(by, url)).rows.map(said);

/** What is read child by child. */
async function each({ children }: PlacesAsked, read: (id: number, index: number) => Promise<Heard>): Promise<Heard> {
  const heard: Heard = [];
  for (const [index, { id }] of children.entries()) heard.push(...(await read(id, index)));
  return heard;
}

const inSection =
  (id: string) =>
  (row: Json): Heard[number] => [row[id], { place: row.section }];

const byName = ({ children }: PlacesAsked) => {
  const [first = '', last = ''] = children[0]?.name.split(' ') ?? [];
  return `firstName=${first}&lastName=${last}&birthDate=${children[0]?.birthDate}`;
};

const headOf = ({ id, section, rollNo, classTeacher, family }: Json): Heard => [
  [id, { place: section, rollNo, classTeacher }],
  ...family.siblings.map(({ id: own, section: place }: Json): Heard[number] => [own, { place }]),
];

/** Operations that say where children are on the day they are asked, with how to read it. */
export const placeOperations: Record<string, PlaceRead> = {
  'GET /student': {
    shows: 'all',
    read: ({ office }) =>
      rowsOf(office, '/student?tab=all', ({ id, section, rollNo }) => [id, { place: section, rollNo }]),
  },
  'GET /student/alike': {
    shows: 'all',
    read: async (asked) =>
      (await get(asked.office, `/student/alike?${byName(asked)}&gender=Girl`)).students.map(({ id, place }: Json) => [
        id,
        { place },
      ]),
  },
  'GET /student/:id': {
    shows: 'all',
    read: (asked) => each(asked, async (id) => headOf(await get(asked.office, `/student/${id}`))),
  },
  'GET /student/:id/double': {
    shows: 'all',
    read: (asked) =>
      each(asked, async (id) =>
        (await get(asked.office, `/student/${id}/double`)).students.map(({ id: own, place }: Json) => [own, { place }]),
      ),
  },
  'GET /student/:id/merge': {
    shows: 'all',
    read: (asked) =>
      each(asked, async (id, index) => {
        const other = asked.children[(index + 1) % asked.children.length]?.id;
        const { kept, retired } = await get(asked.office, `/student/${id}/merge?with=${other}&keeps=${id}`);
        return [kept, retired].map(({ id: own, place }) => [own, { place }]);
      }),
  },
  'GET /configuration/student-subject/student': {
    shows: 'roll',
    read: async ({ admin, year, programId, children }) => {
      const heard: Heard = [];
      const ids = new Map(children.map(({ id, grNo }) => [grNo, id]));
      for (const gradeId of new Set(year.sections.map((section) => section.gradeId))) {
        const query = `academicYearId=${year.id}&gradeId=${gradeId}&programId=${programId}&groupId=&sectionId=&search=`;
        const { students } = await get(admin, `/configuration/student-subject/student?${query}`);
        heard.push(...students.map(({ grNo, section }: Json) => [ids.get(grNo), { section }]));
      }
      return heard;
    },
  },
  'GET /academic/section-student/student': {
    shows: 'roll',
    read: async ({ admin, year }) => {
      const heard: Heard = [];
      for (const { id, gradeId } of year.sections) {
        const query = `academicYearId=${year.id}&gradeId=${gradeId}&sectionId=${id}&search=`;
        const { students } = await get(admin, `/academic/section-student/student?${query}`);
        heard.push(...students.map(({ studentId, rollNo }: Json) => [studentId, { rollNo }]));
      }
      return heard;
    },
  },
  'GET /inquiry/check': {
    shows: 'all',
    read: async (asked) =>
      (await get(asked.office, `/inquiry/check?${byName(asked)}`)).students.map(({ id, place }: Json) => [
        id,
        { place },
      ]),
  },
  'GET /fee/concession': {
    shows: 'year',
    read: ({ accountant, year }) =>
      rowsOf(accountant, `/fee/concession?academicYearId=${year.id}`, inSection('studentId')),
  },
  'GET /fee/plan': {
    shows: 'year',
    read: ({ accountant, year }) => rowsOf(accountant, `/fee/plan?tab=all&yearId=${year.id}`, inSection('studentId')),
  },
  'GET /fee/plan/:id': {
    shows: 'all',
    read: (asked) =>
      each(asked, async (id) => [[id, { place: (await get(asked.accountant, `/fee/plan/${id}`)).place }]]),
  },
  'GET /fee/counter/find': {
    shows: 'all',
    read: async (asked) => {
      const { families } = await get(asked.accountant, `/fee/counter/find?search=${asked.children[0]?.grNo}`);
      return families.flatMap(({ children }: Json) =>
        children.map(({ studentId, place }: Json) => [studentId, { place }]),
      );
    },
  },
  'GET /fee/counter/dues': {
    shows: 'all',
    read: async ({ accountant, children }) =>
      (await get(accountant, `/fee/counter/dues?studentId=${children[0]?.id}`)).children.map(
        ({ studentId, place }: Json) => [studentId, { place }],
      ),
  },
  'GET /fee/student': {
    shows: 'all',
    read: ({ accountant }) => rowsOf(accountant, '/fee/student?tab=all', inSection('id')),
  },
  'GET /fee/student/:id': {
    shows: 'all',
    read: (asked) =>
      each(asked, async (id) => [[id, { place: (await get(asked.accountant, `/fee/student/${id}`)).place }]]),
  },
  'GET /transport/rider': {
    shows: 'bus',
    // A ride that has ended shows the class of its last day, and one that begins later of its first.
    read: ({ incharge }) =>
      rowsOf(incharge, '/transport/rider?tab=now', ({ personId, place }) => [personId, { place }]),
  },
  'GET /transport/student-stop-change': {
    shows: 'all',
    read: async ({ incharge, children }) =>
      rowsOf(incharge, '/transport/student-stop-change?tab=pending', ({ requestNo, place }) => [
        children[Number(requestNo.slice(2))]?.id ?? 0,
        { place },
      ]),
  },
  'GET /attendance/register': {
    shows: 'roll',
    read: async ({ office, year }) => {
      const heard: Heard = [];
      for (const { id } of year.sections) {
        const { section, children } = await get(office, `/attendance/register?sectionId=${id}`);
        heard.push(...children.map(({ studentId, rollNo }: Json) => [studentId, { place: section.name, rollNo }]));
      }
      return heard;
    },
  },
  // A leave of another year has the place of that year.
  'GET /attendance/leave': {
    shows: 'year',
    read: async ({ office, year }) =>
      (await get(office, '/attendance/leave?tab=all')).rows
        .filter(({ fromDay }: Json) => fromDay >= year.startsOn && fromDay <= year.endsOn)
        .map(inSection('studentId')),
  },
  'GET /family': {
    shows: 'family',
    read: async ({ family, link }) => (await get(family, `/family?family=${link}`)).children.map(inSection('id')),
  },
  'GET /ticket/:id/record': {
    shows: 'all',
    read: (asked) =>
      each(asked, async (id, index) => {
        const { student } = await get(asked.principal, `/ticket/${asked.tickets[index]}/record`);
        return [[id, { place: student.section }]];
      }),
  },
  'GET /student/unexplained': {
    shows: 'undecided',
    read: ({ office }) =>
      rowsOf(office, '/student/unexplained?why=Undecided', ({ id, section, rollNo }) => [
        id,
        { place: section, rollNo },
      ]),
  },
  'GET /report/student': {
    shows: 'all',
    read: ({ office }) =>
      rowsOf(office, '/report/student?tab=all', ({ id, section, rollNo }) => [id, { place: section, rollNo }]),
  },
  'GET /report/student/:id': {
    shows: 'all',
    read: (asked) =>
      each(asked, async (id) => {
        const { head } = await get(asked.office, `/report/student/${id}`);
        return [...headOf(head), [id, { place: head.place, rollNo: head.placeRollNo }]];
      }),
  },
};

const applied = 'The grade for which a family applies.';
/** Operations that have such a name and are not asked, with the reason. */
export const otherPlaces: Record<string, string> = {
  'GET /academic/grading-scale': 'The grades of a scale.',
  'GET /academic/section-student/promotion': 'The last day of the year that is promoted.',
  'GET /student/result': 'The last day of the year whose results are decided.',
  'GET /year-end/turn-child': 'The last day of the one year, and the first of the other.',
  'POST /year-end/turn/:id/undo': 'The grade that a promotion ended.',
  'GET /student/:id/enrollment': 'All enrolments of the child, each with its days.',
  'GET /student/certificate': 'What the paper says.',
  'GET /student/leaver': 'The last day of the year that they leave with.',
  'GET /academic/section-teacher/gap': 'Sections without a teacher.',
  'GET /year-end/answer': 'The place in the year that ends.',
  'POST /fee/allocation': 'It previews plans of a year by the read of GET /fee/plan/:id.',
  'POST /fee/payment': 'A receipt, of its own day (U1.13).',
  'POST /fee/payment/:id/print': 'A receipt, of its own day (U1.13).',
  'GET /fee/receipt/:id': 'A receipt, of its own day (U1.13).',
  'POST /fee/counter/cheque': 'A receipt, of its own day (U1.13).',
  'GET /fee/payment/:id': 'The children of a payment, on the day of its receipts.',
  'GET /fee/unplaced': 'Whether money may be placed.',
  'POST /fee/unplaced': 'A receipt, of its own day (U1.13).',
  'GET /transport/wish': 'Children without a seat whose form asked for the bus; it joins student_place of today.',
  'GET /transport/trip/:id/elsewhere': 'The sections of riders on the first of the days.',
  'GET /transport/staff-stop-change': 'The department of staff.',
  'GET /attendance/month': 'The roll numbers of a section’s month.',
  'GET /attendance/correction': 'The section of the register of that day.',
  'GET /cover': 'The sections whose teacher is away; no child.',
  'GET /attendance/daily': 'The sections of that day’s registers.',
  'GET /attendance/exit/child': 'The section in which a child sits today, by student_on.',
  'POST /attendance/gate': 'It marks a child who comes late, in the section of that day’s register.',
  'GET /ticket/by-me': 'The room that a ticket is about.',
  'GET /ticket/to-me': 'The room that a ticket is about.',
  'GET /announcement/:id/answer': 'The place of each child on the last day of its people, by student_on.',
  'GET /meeting/:id': 'The room of each teacher.',
  'GET /meeting/host/:id/slot': 'The place of each child on the day of the meeting, by student_place.',
  'POST /family/meeting/slot/:id/book': 'The room of the teacher.',
  'GET /homework/missing': 'Of homework of 30 days; it lists those who are here today, by student_on.',
  'GET /homework/missing/:id/child': 'The section of the child today, by student_on.',
  'GET /homework': 'The section to which homework was given.',
  'GET /homework/load': 'Sections.',
  'GET /homework/given': 'Sections.',
  'GET /homework/:id': 'The section to which homework was given, and rolls of the due day.',
  'GET /observation-note': 'The class of the day that a note is about.',
  'GET /observation-note/:id': 'The class of the day that a note is about.',
  'POST /observation-note/:id/reveal': 'Where something was seen.',
  'GET /observation-visit': 'The section of a lesson.',
  'GET /observation-visit/own': 'The section of a lesson.',
  'GET /observation-visit/:id': 'The section of a lesson.',
  'GET /process/slot': 'Where a conversation is.',
  'GET /admission-news': 'Where a conversation is.',
  'GET /admission-news/time': 'Where a conversation can be.',
  'POST /admission-news/time': 'Where a conversation is.',
  'GET /admission/inquiry': applied,
  'GET /admission/basic-info': applied,
  'GET /admission/basic-info/:admissionID': applied,
  'POST /admission/basic-info': applied,
  'GET /inquiry': applied,
  'GET /inquiry/:id/record': applied,
  'GET /inquiry/:id/sibling': applied,
  'GET /review': applied,
  'GET /review/:id/record': applied,
  'GET /review/:id/answers': applied,
  'GET /admission-account': applied,
  'GET /admission-account/:id/record': applied,
  'POST /admission-account/:id': applied,
  'GET /admission/seat': applied,
  'POST /admission/seat/propose': applied,
  'GET /process': applied,
  'GET /process/:id/record': applied,
};

interface Schema {
  def: { shape?: Record<string, Schema>; options?: Schema[] } & Partial<
    Record<'element' | 'innerType' | 'in' | 'out' | 'valueType', Schema>
  >;
}

/** Whether an output has one of the names, at any depth. */
export function saysPlace({ output }: Pick<Endpoint, 'output'>): boolean {
  const says = ({ def }: Schema): boolean =>
    Object.keys(def.shape ?? {}).some((name) => placeNames.includes(name)) ||
    [
      ...Object.values(def.shape ?? {}),
      ...(def.options ?? []),
      ...[def.element, def.innerType, def.in, def.out, def.valueType].filter((part) => part !== undefined),
    ].some(says);
  return says(output as unknown as Schema);
}
