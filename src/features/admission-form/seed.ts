import type { FastifyInstance } from 'fastify';
import {
  additionalInfoAnswers,
  basicInfoAnswers,
  educationAnswers,
  healthAnswers,
  languageAnswers,
  parentInfoAnswers,
} from '#database/seed/answers.ts';
import { demoDomain } from '#database/seed/demo-people.ts';
import { childPicture, paperPicture } from '#database/seed/pictures.ts';
import type { Context } from '#kit/server/context.ts';
import { createInquiry, type NewInquiry, revokeLink } from './api.ts';
import type { InquiryState } from './server/inquiry-links.ts';

export interface Family {
  /** How far the family has come. */
  state: InquiryState;
  /** Pages saved by a half-filled family. */
  pages?: number;
  grade: string;
  inquiry: Omit<NewInquiry, 'academicYearId' | 'boardId' | 'programId' | 'gradeId'>;
}

const family = (
  state: InquiryState,
  grade: string,
  child: [first: string, last: string, gender: 'M' | 'F' | 'T', birthDate: string],
  parents: [father: string, mother: string],
  mobile: string,
  options: Partial<Family> & { siblingNames?: string } = {},
): Family => {
  const [firstName, lastName, gender, birthDate] = child;
  const [father, mother] = parents;
  const mail = (name: string) => `${name}.${lastName}@${demoDomain}`.toLowerCase();
  return {
    state,
    grade,
    pages: options.pages,
    inquiry: {
      firstName,
      lastName,
      gender,
      birthDate,
      fatherFirstName: father,
      fatherLastName: lastName,
      fatherMobile: mobile,
      fatherEmail: mail(father),
      motherFirstName: mother,
      motherLastName: lastName,
      motherMobile: String(Number(mobile) + 1),
      motherEmail: mail(mother),
      siblingNames: options.siblingNames,
    },
  };
};

const families: Family[] = [
  family('untouched', 'Grade 1', ['Meera', 'Patel', 'F', '2020-03-12'], ['Nikhil', 'Hetal'], '9825011111'),
  family('untouched', 'Nursery', ['Aarav', 'Shah', 'M', '2023-01-25'], ['Jignesh', 'Pooja'], '9825011121', {
    siblingNames: 'Asha Shah (Grade 4)',
  }),
  family('consent needed', 'Grade 2', ['Riya', 'Modi', 'F', '2019-07-14'], ['Ketan', 'Bhavna'], '9825011201'),
  family('half filled', 'Nursery', ['Zoya', 'Khan', 'F', '2022-12-02'], ['Imran', 'Sana'], '9825011131', { pages: 1 }),
  family('half filled', 'Grade 3', ['Ishaan', 'Desai', 'M', '2018-05-30'], ['Rahul', 'Seema'], '9825011141', {
    pages: 3,
  }),
  family('ready to submit', 'Grade 1', ['Anaya', 'Mehta', 'F', '2020-04-18'], ['Mitul', 'Asha'], '9825011151'),
  family('ready to submit', 'LKG', ['Vivaan', 'Joshi', 'M', '2022-02-09'], ['Mahesh', 'Lakshmi'], '9825011161'),
  family('submitted', 'Grade 1', ['Diya', 'Rathod', 'F', '2020-01-05'], ['Jay', 'Komal'], '9825011171'),
  family('expired', 'Grade 6', ['Kabir', 'Iyer', 'M', '2015-08-15'], ['Ravi', 'Priya'], '9825011181'),
  family('revoked', 'UKG', ['Saanvi', 'Trivedi', 'F', '2021-03-03'], ['Jay', 'Nisha'], '9825011191'),
];

/** A family in each state the form can be in. */
export async function seed(ctx: Context, app: FastifyInstance) {
  for (const family of families) await seedFamily(app, ctx, family);
}

/** Makes one family's inquiry and brings its form into the wanted state, through the form's own operations. */
export async function seedFamily(app: FastifyInstance, ctx: Context, { state, pages = 5, grade, inquiry }: Family) {
  const [year, board, program, gradeRow] = await Promise.all([
    ctx.db.selectFrom('academic_year').where('is_current', '=', true).select('id').executeTakeFirstOrThrow(),
    ctx.db.selectFrom('academic_board').where('name', '=', 'CBSE').select('id').executeTakeFirstOrThrow(),
    ctx.db.selectFrom('academic_program').where('name', '=', 'Regular').select('id').executeTakeFirstOrThrow(),
    ctx.db.selectFrom('academic_grade').where('name', '=', grade).select('id').executeTakeFirstOrThrow(),
  ]);
  const place = { academicYearId: year.id, boardId: board.id, programId: program.id, gradeId: gradeRow.id };
  const made = await ctx.db
    .transaction()
    .execute((db) =>
      createInquiry({ ...ctx, db }, 'Demo', { consent: consentOf(state, inquiry), ...inquiry, ...place }),
    );

  const { id, value } = made;
  if (state === 'revoked') await revokeLink(ctx, 'Demo', id);
  if (state === 'expired') {
    const yesterday = new Date(ctx.now().getTime() - 24 * 60 * 60 * 1000);
    await ctx.db.updateTable('admission_inquiry').set({ link_expires_at: yesterday }).where('id', '=', id).execute();
  }
  if (state === 'half filled') await fillPages(app, ctx, value, pages);
  if (state === 'ready to submit' || state === 'submitted') {
    await fillPages(app, ctx, value, 4);
    await uploadDocuments(app, value);
  }
  if (state === 'submitted') await post(app, value, 'language', languageAnswers);
  return made;
}

/** The office holds every family's consent on paper, but for the one that is still to be asked. */
const consentOf = (state: InquiryState, { fatherFirstName, fatherLastName, lastName }: Family['inquiry']) =>
  state === 'consent needed'
    ? undefined
    : {
        name: `${fatherFirstName ?? 'Father'} ${fatherLastName ?? lastName ?? ''}`.trim(),
        relation: 'Father' as const,
      };

/** Saves the first so many pages of the form. */
async function fillPages(app: FastifyInstance, { db }: Context, link: string, pages: number) {
  const specialty = await db
    .selectFrom('academic_career')
    .where('name', '=', 'Textiles')
    .select(['id', 'sector_id'])
    .executeTakeFirstOrThrow();
  const parents = parentInfoAnswers(specialty.sector_id ?? 0, specialty.id);
  const photo = new File([new Uint8Array(await childPicture())], 'child.jpg');
  const familyPhoto = new File([new Uint8Array(await paperPicture('Family'))], 'family.jpg');
  const save = [
    () => post(app, link, 'basic-info', form(basicInfoAnswers, { admissionStudentImageIFormFile: photo })),
    () => post(app, link, 'parent-info', form(parents, { FamilyImageIFormFile: familyPhoto })),
    async () => {
      await post(app, link, 'education-history', educationAnswers);
      await post(app, link, 'health', form(healthAnswers, {}));
    },
    () => post(app, link, 'additional-info', additionalInfoAnswers),
  ];
  for (const page of save.slice(0, pages)) await page();
}

async function uploadDocuments(app: FastifyInstance, link: string) {
  for (const documentName of ['Birth Certificate', 'Aadhar Card']) {
    const file = new File([new Uint8Array(await paperPicture(documentName))], `${documentName}.jpg`);
    await post(app, link, 'documents', form({ documentName }, { DocumentIFormFile: file }));
  }
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
