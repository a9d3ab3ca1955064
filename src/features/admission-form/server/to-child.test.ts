import { afterAll, beforeAll, expect, test } from 'vitest';
import { addStudents, type NewGuardian } from '#features/student/api.ts';
import { addressApi } from '#features/student/contract/address.ts';
import { studentDocumentApi } from '#features/student/contract/document.ts';
import { guardianApi } from '#features/student/contract/guardian.ts';
import { healthApi } from '#features/student/contract/health.ts';
import { schoolingApi } from '#features/student/contract/schooling.ts';
import type { Person } from '#testing/browser.ts';
import { type Family, openSchool, type School } from '#testing/school.ts';
import { openSection } from '#testing/teachers.ts';
import { type FormChild, listFormFiles, openHealth, toChildren } from '../api.ts';

let school: School;
let admin: Person;
let family: Family;
let child: FormChild;
let section: number;
const allergy = 'Peanuts: swelling of the lips';

beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ role: 'Admin' });
  section = await openSection(school);
  family = await school.inquiry();
  await family.fillAll();
  await family.saveHealth({
    isSufferingFromAllergies: 'true',
    allergiesDescription: allergy,
    allergiesTreatmentBySchool: 'Call us',
  });
  await family.saveAdditionalInfo({
    emergencyContact2FirstName: 'Hetal',
    emergencyContact2MobileNo: '9825022222',
    emergencyContact2Relationship: 'Mother',
  });
  await family.post('education-history', {
    fromGrade: 'Nursery',
    toGrade: 'UKG',
    boardName: 'State',
    schoolName: 'Little Steps Preschool',
    city: 'Surat',
  });
  const [birth] = await school.sql(`select id from admission_document where name = 'Birth Certificate'`);
  await school.sql(`insert into admission_document_verdict (document_id, result, is_original_seen, staff_id, decided_at)
    values (${birth?.id}, 'Verified', true, (select min(id) from staff), now())`);
  child = (await toChildren(school.context(), [family.id])).get(family.id) as FormChild;
});
afterAll(() => school.close());

const guardians = () => child.adults.map(({ part: _, relation, ...adult }): NewGuardian => ({ ...adult, relation }));

async function addChild(over: Partial<FormChild> = {}): Promise<number> {
  const ctx = school.context();
  const [place] = await school.sql(`select academic_year_id as "academicYearId", branch_id as "branchId",
    program_id as "programId", grade_id as "gradeId" from academic_section where id = ${section}`);
  const files = (await listFormFiles(ctx, [family.id])).get(family.id);
  const { firstName, lastName, birthDate, address, schools } = { ...child, ...over };
  const health = await openHealth(ctx, family.id);
  const [added] = await ctx.db.transaction().execute((db) =>
    addStudents({ ...ctx, db }, [
      {
        ...(place as { academicYearId: number; branchId: number; programId: number; gradeId: number }),
        firstName,
        middleName: '',
        lastName,
        gender: 'Girl',
        birthDate,
        admittedOn: '2026-11-02',
        grNo: '',
        sectionId: null,
        guardians: guardians(),
        papers: { address, schools, ...(health && { health }), ...files },
      },
    ]),
  );
  return added?.id ?? 0;
}

test('the form names father, mother and contacts once each; the parent with the link is called first', () => {
  expect(child.adults.map(({ part, relation, role, isPrimary }) => [part, relation, role, isPrimary])).toEqual([
    ['father', 'Father', 'Parent', true],
    ['mother', 'Mother', 'Parent', false],
    ['contact1', 'Grandfather', 'Contact', false],
  ]);
  expect(child).toMatchObject({ firstName: 'Meera', bloodGroup: 'B+', wantsTransport: true, isDivorced: false });
});

test('health answers are sealed again at the place of the student, who has everything else of the form too', async () => {
  const id = await addChild();
  expect((await admin.call(healthApi.revealHealth, { id, reason: 'Check' })).answers).toMatchObject({
    isSufferingFromAllergies: true,
    allergiesDescription: allergy,
  });
  const [copied] =
    await school.sql(`select own.answers = form.answers as same from student_health own, admission_health form
    where own.student_id = ${id} and form.inquiry_id = ${family.id}`);
  expect(copied?.same).toBe(false);
  await school.sql(`update student_health set answers = (select answers from admission_health where inquiry_id = ${family.id})
    where student_id = ${id}`);
  expect(
    (await admin.send({ method: 'POST', url: `/api/student/${id}/health/reveal`, body: { reason: 'Check' } })).status,
  ).toBe(500);
  expect((await admin.call(addressApi.address, { id })).saved).toMatchObject({ currentCity: 'Surat', isSame: true });
  expect((await admin.call(schoolingApi.schoolings, { id })).schoolings).toMatchObject([
    { saved: { school: 'Little Steps Preschool', toClass: 'UKG' } },
  ]);
  expect((await admin.call(guardianApi.family, { id })).guardians).toMatchObject([
    { name: 'Nikhil Patel', isPrimary: true, saved: { organization: 'Patel Textiles' } },
    { name: 'Hetal Patel' },
    { name: 'Ramesh Patel' },
  ]);
  expect(school.log()).not.toContain('Peanuts');
});

test('a document is one file of the form and of the student, and stays with the form when the student loses it', async () => {
  const id = await addChild({ firstName: 'Other' });
  const { documents, missing } = await admin.call(studentDocumentApi.documents, { id });
  expect(documents.map(({ type, status, remark }) => [type, status, remark])).toEqual([
    ['Aadhar Card', 'Waiting', ''],
    ['Birth Certificate', 'Verified', 'Original seen'],
  ]);
  expect(missing).toEqual([]);
  const birth = documents[1]?.id ?? 0;
  const at = `/api/student/${id}/document/${birth}/file`;
  const shown = await admin.send({ url: at });
  expect([shown.status, shown.bytes.length > 100]).toEqual([200, true]);
  await admin.call(studentDocumentApi.removeDocument, { id, document: birth });
  expect((await admin.send({ url: at })).status).toBe(404);
  const [left] = await school.sql(
    `select file_id from admission_document where inquiry_id = ${family.id} and name = 'Birth Certificate'`,
  );
  expect((await family.get(`files/${left?.file_id}`)).bytes).toEqual(shown.bytes);
  const [photo] = await school.sql(`select photo_id from student where id = ${id}`);
  expect((await admin.send({ url: `/api/student/photo/${photo?.photo_id}` })).status).toBe(200);
});
