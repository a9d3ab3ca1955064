import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { gradeMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { sheet } from '#kit/server/paper/paper.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { fileOf, form, openSchool, type School } from '#testing/school.ts';
import { type EnrolmentPlace, enroll } from '#testing/students.ts';
import { sectionStudentApi } from '../../contract/section-student.ts';

let school: School;
let admin: Person;
let here: EnrolmentPlace & { toYearId: number };
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Kiran', role: 'Admin' });
});
beforeEach(async () => {
  const { academicYearId, branchId, programId, gradeId } = (await plant(
    school,
    sectionMaster,
  )) as unknown as EnrolmentPlace;
  const [year, grade] = [await plant(school, yearMaster), await plant(school, gradeMaster)];
  await school.sql(`update academic_grade set next_grade_id = ${grade.id} where id = ${gradeId}`);
  here = { academicYearId, branchId, programId, gradeId, toYearId: year.id };
});
afterAll(() => school.close());

/** Promotes children of these names, or applies other decisions; returns the promotion's id. */
async function promote(...children: [name: string, decision?: string, sectionId?: number][]): Promise<number> {
  const students: object[] = [];
  for (const [name, decision = 'Promote', sectionId] of children) {
    const enrollmentId = await enroll(school, here, name);
    students.push({ enrollmentId, decision });
    if (sectionId) await place(enrollmentId, sectionId);
  }
  const { academicYearId, gradeId, toYearId } = here;
  const body = { academicYearId, gradeId, toYearId, keepsSection: false, students };
  expect((await send(body)).status).toBe(200);
  return (await promotions())[0]?.id ?? 0;
}
/** Previews a promotion and applies it. */
async function send(body: object) {
  const post = (more = {}) =>
    admin.send({ method: 'POST', url: '/api/academic/section-student/promotion', body: { ...body, ...more } });
  const preview = await post();
  return preview.json.confirmToken ? post({ confirmToken: preview.json.confirmToken }) : preview;
}
async function place(enrollmentId: number, sectionId: number) {
  const body = { academicYearId: here.academicYearId, sectionId, enrollmentIds: [enrollmentId], from: '', reason: '' };
  const { from } = await admin
    .call(sectionStudentApi.overview, { ...here, on: '2001-01-01' })
    .then(({ on }) => ({ from: on }));
  const { confirmToken } = await admin.call(sectionStudentApi.move, { ...body, from });
  await admin.call(sectionStudentApi.move, { ...body, from, confirmToken: confirmToken ?? '' });
}
const promotions = () => {
  const { academicYearId, gradeId } = here;
  return admin.call(sectionStudentApi.promotions, { academicYearId, gradeId });
};
const open = (id: number, person = admin) => person.send({ url: `/api/academic/section-student/promoted/${id}` });

/** Gives the school a picture of this colour; returns the stored bytes. */
async function setPicture(background: string, name = 'logo'): Promise<Buffer> {
  const picture = await sharp({ create: { width: 60, height: 60, channels: 3, background } })
    .jpeg()
    .toBuffer();
  const body = form({}, { [name]: fileOf('picture.jpg', picture) });
  const url = `/api/academic/school/${name}`;
  expect((await admin.send({ method: 'POST', url, body })).status).toBe(200);
  return (await admin.send({ url: name === 'logo' ? '/api/app-configuration/logo' : url })).bytes;
}

/** The picture of the head of the last paper. */
function pictureOf(name: 'logo' | 'signature') {
  const { data, pictures } = school.papers.last();
  return Buffer.from(pictures.get(data.head[name]) ?? []);
}

test('K2.3 a new logo is printed on later lists, not on a stored one', async () => {
  const red = await setPicture('#c00');
  const first = await promote(['Asha']);
  const before = await open(first);
  expect([before.status, before.headers['content-type'], pictureOf('logo')]).toEqual([200, 'application/pdf', red]);

  const blue = await setPicture('#00c');
  expect(blue.equals(red)).toBe(false);
  await school.sql(`update academic_school set name = 'Sunrise School'`);
  const kept = await open(first);
  expect(kept.bytes.equals(before.bytes)).toBe(true);
  await open(await promote(['Bela']));
  expect([pictureOf('logo'), school.papers.last().data.head.name]).toEqual([blue, 'Sunrise School']);
});

test('a promotion list has the result of each student of that promotion, by section, and the person who made it', async () => {
  const { academicYearId, branchId, programId, gradeId } = here;
  const sections = [];
  for (const name of ['A', 'B']) {
    const section = await plant(school, sectionMaster, { academicYearId, branchId, programId, gradeId });
    await school.sql(`update academic_section set name = 'Z${name}' where id = ${section.id}`);
    sections.push(section.id);
  }
  const [a, b] = sections;
  const first = await promote(
    ['Asha', 'Promote', b],
    ['Bela', 'Detain', a],
    ['Chetna', 'Leave'],
    ['Diya', 'Promote', a],
  );
  const second = await promote(['Esha']);
  const [{ grade, next, last } = {}] = await school.sql(`select grade.name as grade, next.name as next,
      to_char(year.ends_on, 'FMDD Mon YYYY') as last from academic_grade grade
    join academic_grade next on next.id = grade.next_grade_id, academic_year year
    where grade.id = ${gradeId} and year.id = ${academicYearId}`);
  // Lists show the names at the time of the promotion.
  await school.sql(`update academic_grade set next_grade_id = null where id = ${gradeId}`);
  await school.sql(`update academic_year set ends_on = ends_on + 1 where id = ${academicYearId}`);
  const standing = { by: 'Kiran', toYear: expect.any(String), undoneAt: '', undoneBy: '', hasList: true };
  expect((await promotions()).map(({ at: _, ...promotion }) => promotion)).toEqual([
    { ...standing, id: second, promoted: 1, detained: 0, left: 0 },
    { ...standing, id: first, promoted: 2, detained: 1, left: 1 },
  ]);
  expect((await open(first)).status).toBe(200);
  const { template, data } = school.papers.last();
  const number = expect.stringMatching(/^G\d+$/);
  expect([template, data.table.rows]).toEqual([
    sheet,
    [
      ['1', number, 'Bela Shah', `${grade}, ZA`, `Detained in ${grade}`],
      ['2', number, 'Diya Shah', `${grade}, ZA`, `Promoted to ${next}`],
      ['3', number, 'Asha Shah', `${grade}, ZB`, `Promoted to ${next}`],
      ['4', number, 'Chetna Shah', '–', `Leaves on ${last}`],
    ],
  ]);
  expect(data.facts).toEqual(
    expect.arrayContaining([
      ['Promoted', '2'],
      ['Detained', '1'],
      ['Leaving', '1'],
    ]),
  );
  expect(data.made).toMatch(/ by Kiran$/);
});

test('the list has the principal’s name and stored signature until the signature is removed', async () => {
  const green = await setPicture('#0a0', 'signature');
  await school.sql(`update academic_school set principal = 'Meera Desai'`);
  await open(await promote(['Asha']));
  expect([pictureOf('signature'), school.papers.last().data.signatures.at(-1).who]).toEqual([
    green,
    'Principal: Meera Desai',
  ]);
  const url = '/api/academic/school/signature';
  expect((await admin.send({ method: 'DELETE', url })).status).toBe(200);
  expect((await admin.send({ url })).status).toBe(404);
  await open(await promote(['Bela']));
  expect(school.papers.last().data.signatures.at(-1)).toEqual({ who: 'Principal: Meera Desai' });
});

test('simultaneous requests get the same list, which later name changes leave unchanged', async () => {
  const id = await promote(['Asha']);
  const all = await Promise.all([open(id), open(id), open(id)]);
  expect(new Set(all.map(({ bytes }) => bytes.toString('base64'))).size).toBe(1);
  expect(await school.sql(`select 1 from file where owner = 'academic_promotion' and owner_id = ${id}`)).toHaveLength(
    1,
  );
  await school.sql(`update student set first_name = 'Usha' where first_name = 'Asha'`);
  expect((await open(id)).bytes.equals(all[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
  const noted = await school.sql(`select details from audit
    where action = 'section-student.exported' and entity_id = ${here.academicYearId}`);
  expect(noted.map(({ details }) => details)).toEqual(
    Array(4).fill(expect.objectContaining({ what: 'promotion list', as: 'pdf' })),
  );
});

test('a promotion without changes has no list, and a list that could not be stored is made again', async () => {
  const id = await promote(['Asha']);
  const [{ enrollment } = {}] = await school.sql(
    `select id as enrollment from student_enrollment where promotion_id = ${id}`,
  );
  const { academicYearId, gradeId, toYearId } = here;
  const students = [{ enrollmentId: enrollment, decision: 'Promote' }];
  const body = { academicYearId, gradeId, toYearId, keepsSection: false, students };
  const again = await send(body);
  expect([again.json.done, (await promotions()).length]).toEqual([0, 1]);

  const put = vi.spyOn(school.services.files, 'put').mockRejectedValueOnce(new Error('The disk is full.'));
  expect((await open(id)).status).toBe(500);
  put.mockRestore();
  expect((await open(id)).status).toBe(200);
});
