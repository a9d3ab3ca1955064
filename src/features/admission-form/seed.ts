import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { drawAddress } from '#database/seed/addresses.ts';
import {
  additionalInfoAnswers,
  basicInfoAnswers,
  educationAnswers,
  healthAnswers,
  languageAnswers,
  parentInfoAnswers,
} from '#database/seed/answers.ts';
import { type Applicant, drawApplicants } from '#database/seed/applicants.ts';
import { demoDomain } from '#database/seed/demo-people.ts';
import { childPicture, paperPicture } from '#database/seed/pictures.ts';
import { fictionalMobile, type SeedPlan, startYearOf } from '#database/seed/plan.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Random } from '#kit/server/random.ts';
import { createInquiry, type NewInquiry, revokeLink } from './api.ts';
import type { InquiryState } from './server/inquiry-links.ts';

export interface Family {
  state: InquiryState;
  /** Pages saved by a half-filled family. */
  pages?: number;
  /** Answers of this family that differ from the usual ones. */
  answers?: Partial<Record<'basicInfo' | 'parentInfo' | 'additionalInfo', Record<string, string>>>;
  grade: string;
  inquiry: Omit<NewInquiry, 'academicYearId' | 'branchId' | 'boardId' | 'programId' | 'gradeId'>;
}

interface DemoFamily {
  state: InquiryState;
  pages?: number;
  grade: string;
  /** The birth date is that of a child of this grade in the academic year 2026-27. */
  child: [first: string, last: string, gender: 'M' | 'F', birthDate: string];
  /** A father who is not named is not alive. */
  parents: [father: string | undefined, mother: string];
  siblingNames?: string;
}

const demoFamilies: DemoFamily[] = [
  {
    state: 'untouched',
    grade: 'Grade 1',
    child: ['Meera', 'Patel', 'F', '2020-03-12'],
    parents: ['Nikhil', 'Hetal'],
  },
  {
    state: 'untouched',
    grade: 'Nursery',
    child: ['Aarav', 'Shah', 'M', '2023-01-25'],
    parents: ['Jignesh', 'Pooja'],
    siblingNames: 'Asha Shah (Grade 4)',
  },
  {
    state: 'consent needed',
    grade: 'Grade 2',
    child: ['Riya', 'Modi', 'F', '2019-03-14'],
    parents: ['Ketan', 'Bhavna'],
  },
  {
    state: 'half filled',
    pages: 1,
    grade: 'Nursery',
    child: ['Zoya', 'Khan', 'F', '2022-12-02'],
    parents: ['Imran', 'Sana'],
  },
  {
    state: 'half filled',
    pages: 3,
    grade: 'Grade 3',
    child: ['Ishaan', 'Desai', 'M', '2018-05-30'],
    parents: [undefined, 'Seema'],
  },
  {
    state: 'ready to submit',
    grade: 'Grade 1',
    child: ['Anaya', 'Mehta', 'F', '2020-04-18'],
    parents: ['Mitul', 'Asha'],
  },
  {
    state: 'ready to submit',
    grade: 'LKG',
    child: ['Vivaan', 'Joshi', 'M', '2022-02-09'],
    parents: ['Mahesh', 'Lakshmi'],
  },
  {
    state: 'submitted',
    grade: 'Grade 1',
    child: ['Diya', 'Rathod', 'F', '2020-01-05'],
    parents: ['Jay', 'Komal'],
  },
  { state: 'expired', grade: 'Grade 6', child: ['Kabir', 'Iyer', 'M', '2014-08-15'], parents: ['Ravi', 'Priya'] },
  {
    state: 'revoked',
    grade: 'UKG',
    child: ['Saanvi', 'Trivedi', 'F', '2021-03-03'],
    parents: ['Jay', 'Nisha'],
  },
];

const noFather = { hasNoFather: 'true', noFatherReason: 'Not alive' };

/** The mobile numbers follow those of other families. */
const firstMobile = 900_000;

/** Families of the current academic year, whose children are as old as their grade asks. */
function familiesOf(plan: SeedPlan): Family[] {
  const random = plan.random('families');
  const later = startYearOf(plan.today) - 2026;
  return demoFamilies.map(({ state, pages, grade, child, parents, siblingNames }, index) => {
    const [firstName, lastName, gender, born] = child;
    const [father, mother] = parents;
    const mail = (name: string) => `${name}.${lastName}@${demoDomain}`.toLowerCase();
    const mobile = (number: number) => fictionalMobile(firstMobile + 10 * index + number);
    return {
      state,
      pages,
      grade,
      answers: { ...drawAnswers(random, mobile), parentInfo: father ? {} : noFather },
      inquiry: {
        firstName,
        lastName,
        gender,
        birthDate: `${Number(born.slice(0, 4)) + later}${born.slice(4)}`,
        ...(father && {
          fatherFirstName: father,
          fatherLastName: lastName,
          fatherMobile: mobile(0),
          fatherEmail: mail(father),
        }),
        motherFirstName: mother,
        motherLastName: lastName,
        motherMobile: mobile(1),
        motherEmail: mail(mother),
        siblingNames,
      },
    };
  });
}

/** A family's address and emergency contacts. */
function drawAnswers(random: Random, mobile: (number: number) => string): Required<Family>['answers'] {
  const { house, street, area, pinCode } = drawAddress(random);
  const address = { StreetNo: house, Address1: street, Address2: area, PinCode: pinCode };
  const at = (prefix: string) =>
    Object.fromEntries(Object.entries(address).map(([name, value]) => [`${prefix}${name}`, value]));
  return {
    basicInfo: { ...at('current'), ...at('permanent'), emergencyMobileNo: mobile(2) },
    parentInfo: {},
    additionalInfo: { emergencyContact1MobileNo: mobile(3), emergencyContact2MobileNo: mobile(4) },
  };
}

/** A family in each state of the form, and the inquiries that the office got in the last months. */
export async function seed(ctx: Context, app: FastifyInstance, plan: SeedPlan) {
  for (const family of familiesOf(plan)) await seedFamily(app, ctx, family);
  const made = await seedInquiries(ctx, drawApplicants(plan));
  await fillSome(app, ctx, plan, made);
}

/** Of the last inquiries, some have a form that is complete or begun. */
async function fillSome(app: FastifyInstance, ctx: Context, plan: SeedPlan, made: Made[]) {
  const random = plan.random('forms');
  const submitted = Array<InquiryState>(8).fill('submitted');
  const states: InquiryState[] = ['submitted', 'half filled', 'submitted', 'ready to submit', ...submitted];
  const last = made.filter(({ isOpen }) => isOpen).slice(-states.length);
  for (const [index, inquiry] of last.entries()) {
    const mobile = (number: number) => fictionalMobile(firstMobile + 10 * (demoFamilies.length + index) + number);
    const answers = drawAnswers(random, mobile);
    await advance(app, ctx, inquiry, { state: states[index] ?? 'untouched', pages: 2, answers });
  }
}

interface Made {
  id: number;
  value: string;
  /** Whether its link opens a form that can be filled in. */
  isOpen: boolean;
}

/** Inquiries whose form nobody has begun to fill in; by now some of the links have expired. */
async function seedInquiries(ctx: Context, applicants: Applicant[]): Promise<Made[]> {
  const [years, branch, board, program, grades] = await Promise.all([
    ctx.db.selectFrom('academic_year').select(['id', 'starts_on']).execute(),
    ctx.db.selectFrom('academic_branch').select('id').orderBy('id').executeTakeFirstOrThrow(),
    ctx.db.selectFrom('academic_board').where('name', '=', 'CBSE').select('id').executeTakeFirstOrThrow(),
    ctx.db.selectFrom('academic_program').where('name', '=', 'Regular').select('id').executeTakeFirstOrThrow(),
    ctx.db.selectFrom('academic_grade').select(['id', 'name']).execute(),
  ]);
  const yearOf = new Map(years.map(({ id, starts_on }) => [Number(starts_on.slice(0, 4)), id]));
  const gradeOf = new Map(grades.map(({ id, name }) => [name, id]));
  const place = { branchId: branch.id, boardId: board.id, programId: program.id };
  return ctx.db.transaction().execute(async (db) => {
    const made: (Made & { at: string; source: string })[] = [];
    for (const {
      askedOn,
      start,
      grade,
      father,
      mother,
      hasConsent,
      isRevoked,
      isRecent,
      source,
      ...child
    } of applicants) {
      const at = new Date(`${askedOn}T11:00:00+05:30`);
      const then = { ...ctx, db, now: () => at };
      const { lastName } = child;
      const { id, value } = await createInquiry(then, 'Demo', {
        ...place,
        ...child,
        academicYearId: yearOf.get(start) ?? 0,
        gradeId: gradeOf.get(grade) ?? 0,
        fatherFirstName: father,
        fatherLastName: lastName,
        motherFirstName: mother,
        motherLastName: lastName,
        consent: hasConsent ? { name: `${father} ${lastName}`, relation: 'Father' } : undefined,
      });
      if (isRevoked) await revokeLink(then, 'Demo', id);
      made.push({ id, value, isOpen: hasConsent && isRecent && !isRevoked, at: at.toISOString(), source });
    }
    await sql`update admission_inquiry as inquiry set created_at = made.at, lead_source_id = source.id
      from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as made (id integer, at timestamptz, source text)
      left join academic_lookup as source on source.kind = 'Lead source' and source.name = made.source
      where inquiry.id = made.id`.execute(db);
    return made;
  });
}

/** Creates one family's inquiry and brings its form into a state through the form's own operations. */
export async function seedFamily(app: FastifyInstance, ctx: Context, { grade, inquiry, ...family }: Family) {
  const [year, branch, board, program, gradeRow] = await Promise.all([
    ctx.db
      .selectFrom('academic_year')
      .where('id', '=', sql<number>`academic_year_on(${toLocalDate(ctx.now())}::date)`)
      .select('id')
      .executeTakeFirstOrThrow(),
    ctx.db.selectFrom('academic_branch').select('id').orderBy('id').executeTakeFirstOrThrow(),
    ctx.db.selectFrom('academic_board').where('name', '=', 'CBSE').select('id').executeTakeFirstOrThrow(),
    ctx.db.selectFrom('academic_program').where('name', '=', 'Regular').select('id').executeTakeFirstOrThrow(),
    ctx.db.selectFrom('academic_grade').where('name', '=', grade).select('id').executeTakeFirstOrThrow(),
  ]);
  const place = {
    academicYearId: year.id,
    branchId: branch.id,
    boardId: board.id,
    programId: program.id,
    gradeId: gradeRow.id,
  };
  const made = await ctx.db
    .transaction()
    .execute((db) =>
      createInquiry({ ...ctx, db }, 'Demo', { consent: consentOf(family.state, inquiry), ...inquiry, ...place }),
    );
  await advance(app, ctx, made, family);
  return made;
}

/** Brings an inquiry that was just made into a state. */
async function advance(
  app: FastifyInstance,
  ctx: Context,
  { id, value }: Pick<Made, 'id' | 'value'>,
  { state, pages = 5, answers = {} }: Pick<Family, 'state' | 'pages' | 'answers'>,
) {
  if (state === 'revoked') await revokeLink(ctx, 'Demo', id);
  if (state === 'expired') {
    const yesterday = new Date(ctx.now().getTime() - 24 * 60 * 60 * 1000);
    await ctx.db.updateTable('admission_inquiry').set({ link_expires_at: yesterday }).where('id', '=', id).execute();
  }
  if (state === 'half filled') await fillPages(app, ctx, { link: value, pages, answers });
  if (state === 'ready to submit' || state === 'submitted') {
    await fillPages(app, ctx, { link: value, pages: 4, answers });
    await uploadDocuments(app, value);
  }
  if (state === 'submitted') await post(app, value, 'language', languageAnswers);
}

/** The office holds every family's consent on paper, except that of the family in the state "consent needed". */
const consentOf = (state: InquiryState, inquiry: Family['inquiry']) => {
  if (state === 'consent needed') return undefined;
  const { fatherFirstName, fatherLastName, motherFirstName, motherLastName, lastName } = inquiry;
  return !fatherFirstName && motherFirstName
    ? { name: `${motherFirstName} ${motherLastName ?? lastName ?? ''}`.trim(), relation: 'Mother' as const }
    : {
        name: `${fatherFirstName ?? 'Father'} ${fatherLastName ?? lastName ?? ''}`.trim(),
        relation: 'Father' as const,
      };
};

interface Filling {
  link: string;
  pages: number;
  answers: Required<Family>['answers'];
}

/** Saves the first so many pages of the form. */
async function fillPages(app: FastifyInstance, { db }: Context, { link, pages, answers }: Filling) {
  const specialty = await db
    .selectFrom('academic_career')
    .where('name', '=', 'Textiles')
    .select(['id', 'sector_id'])
    .executeTakeFirstOrThrow();
  const parents = { ...parentInfoAnswers(specialty.sector_id ?? 0, specialty.id), ...answers.parentInfo };
  const photo = await fileOf('child.jpg', childPicture);
  const familyPhoto = await fileOf('family.jpg', () => paperPicture('Family'));
  const basicInfo = { ...basicInfoAnswers, ...answers.basicInfo };
  const save = [
    () => post(app, link, 'basic-info', form(basicInfo, { admissionStudentImageIFormFile: photo })),
    () => post(app, link, 'parent-info', form(parents, { FamilyImageIFormFile: familyPhoto })),
    async () => {
      await post(app, link, 'education-history', educationAnswers);
      await post(app, link, 'health', form(healthAnswers, {}));
    },
    () => post(app, link, 'additional-info', { ...additionalInfoAnswers, ...answers.additionalInfo }),
  ];
  for (const page of save.slice(0, pages)) await page();
}

async function uploadDocuments(app: FastifyInstance, link: string) {
  for (const documentName of ['Birth Certificate', 'Aadhar Card']) {
    const file = await fileOf(`${documentName}.jpg`, () => paperPicture(documentName));
    await post(app, link, 'documents', form({ documentName }, { DocumentIFormFile: file }));
  }
}

const pictures = new Map<string, Promise<Buffer>>();

/** A picture as a file of this name, drawn once. */
async function fileOf(name: string, draw: () => Promise<Buffer>): Promise<File> {
  const drawn = pictures.get(name) ?? draw();
  pictures.set(name, drawn);
  return new File([new Uint8Array(await drawn)], name);
}

function form(fields: Record<string, string>, files: Record<string, File>): FormData {
  const data = new FormData();
  for (const [name, value] of [...Object.entries(fields), ...Object.entries(files)]) data.append(name, value);
  return data;
}

async function post(app: FastifyInstance, link: string, path: string, body: object) {
  const request = new Request('http://localhost', {
    method: 'POST',
    body: body instanceof FormData ? body : JSON.stringify(body),
  });
  const type = body instanceof FormData ? (request.headers.get('content-type') ?? '') : 'application/json';
  const answer = await app.inject({
    method: 'POST',
    url: `/api/admission/${path}?inquiryNo=${link}`,
    headers: { 'content-type': type },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  if (answer.statusCode !== 200) throw new Error(`The demo school's ${path} was refused: ${answer.body}`);
}
