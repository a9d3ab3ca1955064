import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { create } from '#testing/masters.ts';
import { pagesOf } from '#testing/pdf.ts';
import { fileOf, form, openSchool, type School } from '#testing/school.ts';
import { gradeMaster, sectionMaster, yearMaster } from '../contract/masters.ts';
import { sectionStudentApi } from '../contract/section-student.ts';

let school: School;
let admin: Person;
let here: Record<'academicYearId' | 'branchId' | 'programId' | 'gradeId' | 'toYearId', number>;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Kiran', role: 'Admin' });
});
beforeEach(async () => {
  const section = (await create(admin, sectionMaster)) as unknown as typeof here;
  const { academicYearId, branchId, programId, gradeId } = section;
  const [year, grade] = [await create(admin, yearMaster), await create(admin, gradeMaster)];
  await school.sql(`update academic_grade set next_grade_id = ${grade.id} where id = ${gradeId}`);
  here = { academicYearId, branchId, programId, gradeId, toYearId: year.id };
});
afterAll(() => school.close());

let made = 0;
async function child(name: string): Promise<number> {
  const { academicYearId, branchId, programId, gradeId } = here;
  const [row] = await school.sql(`
    with child as (insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
      values (${branchId}, 'P${++made}', '${name}', 'Shah', 'F', '2019-01-01') returning id)
    insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on)
    select child.id, year.id, ${branchId}, ${programId}, ${gradeId}, 'New', year.starts_on
    from child, academic_year year where year.id = ${academicYearId} returning id`);
  return Number(row?.id);
}

/** Promotes children of these names, or what else is to become of them; gives the act's number. */
async function promote(...children: [name: string, fate?: string][]): Promise<number> {
  const students: object[] = [];
  for (const [name, fate = 'Promote'] of children) students.push({ enrollmentId: await child(name), fate });
  const { academicYearId, gradeId, toYearId } = here;
  const body = { academicYearId, gradeId, toYearId, keepsSection: false, students };
  const { status } = await admin.send({ method: 'POST', url: '/api/academic/section-student/promotion', body });
  expect(status).toBe(200);
  return (await promotions())[0]?.id ?? 0;
}
const promotions = () => {
  const { academicYearId, gradeId } = here;
  return admin.call(sectionStudentApi.promotions, { academicYearId, gradeId });
};
const open = (id: number, person = admin) => person.send({ url: `/api/academic/section-student/promoted/${id}` });

/** Gives the school a logo of this colour; gives its bytes as the school keeps them, which a paper holds as they are. */
async function setLogo(background: string): Promise<Buffer> {
  const picture = await sharp({ create: { width: 60, height: 60, channels: 3, background } })
    .jpeg()
    .toBuffer();
  const body = form({}, { logo: fileOf('logo.jpg', picture) });
  expect((await admin.send({ method: 'POST', url: '/api/academic/school/logo', body })).status).toBe(200);
  return (await school.send({ url: '/api/app-configuration/logo' })).bytes;
}

test('K2.3 a new logo stands on the next paper, and not on one that is kept', async () => {
  const red = await setLogo('#c00');
  const first = await promote(['Asha']);
  const before = await open(first);
  expect([before.status, before.headers['content-type'], before.bytes.includes(red)]).toEqual([
    200,
    'application/pdf',
    true,
  ]);

  const blue = await setLogo('#00c');
  expect(blue.equals(red)).toBe(false);
  await school.sql(`update academic_school set name = 'Sunrise School'`);
  const kept = await open(first);
  expect(kept.bytes.equals(before.bytes)).toBe(true);
  const next = await open(await promote(['Bela']));
  expect([next.bytes.includes(red), next.bytes.includes(blue)]).toEqual([false, true]);
  expect((await pagesOf(next.bytes)).join()).toContain('Sunrise School');
});

test('a promotion list says what became of each student of that act alone, and by whom', async () => {
  const first = await promote(['Asha'], ['Bela', 'Detain'], ['Chetna', 'Leave']);
  await promote(['Diya']);
  expect((await promotions()).map(({ at: _, ...one }) => one)).toEqual([
    { id: first + 1, by: 'Kiran', toYear: expect.any(String), promoted: 1, detained: 0, left: 0 },
    { id: first, by: 'Kiran', toYear: expect.any(String), promoted: 1, detained: 1, left: 1 },
  ]);
  const [page = ''] = await pagesOf((await open(first)).bytes);
  expect(page).toMatch(/1 +P\d+ +Asha Shah +– +Promoted to Name/);
  expect(page).toMatch(/2 +P\d+ +Bela Shah +– +Stays in/);
  expect(page).toMatch(/3 +P\d+ +Chetna Shah +– +Leaves the school on/);
  expect(page).toMatch(/Promoted: 1 +Stay: 1 +Leave: 1/);
  expect(page).toMatch(/by Kiran/);
  expect(page).not.toContain('Diya');
});

test('the list is one and the same for all who open it at once, and stays so when a name is changed', async () => {
  const id = await promote(['Asha']);
  const all = await Promise.all([open(id), open(id), open(id)]);
  expect(new Set(all.map(({ bytes }) => bytes.toString('base64'))).size).toBe(1);
  expect(await school.sql(`select 1 from file where owner = 'academic_promotion' and owner_id = ${id}`)).toHaveLength(
    1,
  );
  await school.sql(`update student set first_name = 'Usha' where gr_no = 'P${made}'`);
  expect((await open(id)).bytes.equals(all[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
  const [row] = await school.sql(`select details, count(*) over () as times from audit
    where action = 'section-student.exported' and details ->> 'what' = 'promotion list' order by id desc limit 1`);
  expect(row?.details).toMatchObject({ what: 'promotion list', as: 'pdf' });
});

test('a promotion that did nothing leaves no list, and one whose file could not be kept is made the next time', async () => {
  const id = await promote(['Asha']);
  const [{ enrollment } = {}] = await school.sql(
    `select id as enrollment from student_enrollment where promotion_id = ${id}`,
  );
  const { academicYearId, gradeId, toYearId } = here;
  const students = [{ enrollmentId: enrollment, fate: 'Promote' }];
  const body = { academicYearId, gradeId, toYearId, keepsSection: false, students };
  const again = await admin.send({ method: 'POST', url: '/api/academic/section-student/promotion', body });
  expect([again.json.done, (await promotions()).length]).toEqual([0, 1]);

  const put = vi.spyOn(school.services.files, 'put').mockRejectedValueOnce(new Error('The disk is full.'));
  expect((await open(id)).status).toBe(500);
  put.mockRestore();
  expect((await open(id)).status).toBe(200);
});
