import { beforeAll, expect, test } from 'vitest';
import { gradeMaster, programMaster } from '#features/academic/contract/masters.ts';
import { approvalApi } from '#features/approval/contract/approval.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { enrolmentHook } from '#features/student/contract/hooks.ts';
import { ask as askFeatures } from '#kit/server/hook.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { type EnrolmentPlace, enroll } from '#testing/students.ts';
import { concessionApi, concessionList } from '../../contract/concession.ts';
import { discountApi } from '../../contract/discount.ts';
import { renewSuggestions } from './suggest.ts';

let school: School;
let accountant: Person;
let principal: Person;
let place: EnrolmentPlace;
let year: { startsOn: string; endsOn: string };
beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ name: 'Kiran', role: 'Staff', sets: ['accountant'] });
  principal = await school.person({ name: 'Mina', role: 'Staff', sets: ['principal'] });
  const [row] = await school.sql(`select id, starts_on::text as starts, ends_on::text as ends from academic_year
    where id = academic_year_on()`);
  year = { startsOn: String(row?.starts), endsOn: String(row?.ends) };
  place = {
    academicYearId: Number(row?.id),
    branchId: (await plant(school, branchMaster)).id,
    programId: (await plant(school, programMaster)).id,
    gradeId: (await plant(school, gradeMaster)).id,
  };
  return school.close;
});

let count = 0;
/** The name of each discount. */
const names = new Map<number, string>();
const discount = async (over: object = {}) => {
  const values = {
    name: `Discount ${++count}`,
    code: `D${count}`,
    valueKind: 'Percent' as const,
    percent: 1000,
    amount: null,
    heads: 'All heads with concessions' as const,
    headIds: [],
    eligibility: 'Any student' as const,
    categoryIds: [],
    thirdPercent: null,
    fourthPercent: null,
    stackGroup: '',
    priority: 50,
    maxAmount: null,
    needsApproval: false,
    approvalAbove: null,
    academicYearId: null,
    ...over,
  };
  const { id } = await accountant.call(discountApi.create, values);
  names.set(id, values.name);
  return id;
};
const child = async (name: string, where: Partial<EnrolmentPlace> & { birthDate?: string } = {}) => {
  const enrollmentId = await enroll(school, { ...place, ...where }, name, where);
  const [row] = await school.sql(`select student_id as id from student_enrollment where id = ${enrollmentId}`);
  return Number(row?.id);
};
const asked = (studentId: number, discountId: number, over: object = {}) => ({
  studentId,
  discountId,
  academicYearId: place.academicYearId,
  effectiveFrom: year.startsOn,
  effectiveTo: '',
  reason: '',
  ...over,
});
const ask = async (...of: Parameters<typeof asked>) => accountant.call(concessionApi.request, asked(...of));
const rowsOf = async (studentId: number) =>
  (await accountant.call(concessionList.api.list, {})).rows.filter((row) => row.studentId === studentId);
const rowOf = async (id: number) =>
  (await accountant.call(concessionList.api.list, {})).rows.find((row) => row.id === id);
const monthOf = (offset: number) => {
  const [at = 0, month = 1] = year.startsOn.split('-').map(Number);
  return new Date(Date.UTC(at, month - 1 + offset, 1)).toISOString().slice(0, 10);
};
const refusal = async (body: object, who = accountant) =>
  (await who.send({ method: 'POST', url: '/api/fee/concession', body })).json.error?.fields;

test('a concession without approval is granted at once, for whole months to the end of the year', async () => {
  const student = await child('Ira');
  const { id, status } = await ask(student, await discount(), { effectiveFrom: monthOf(2).replace(/01$/, '17') });
  expect(status).toBe('Approved');
  expect(await rowOf(id)).toMatchObject({ effectiveFrom: monthOf(2), takesOff: '10 %', may: { end: true } });
  const [row] = await school.sql(
    `select extract(day from effective_to + 1) as next from fee_concession where id = ${id}`,
  );
  expect(Number(row?.next)).toBe(1);
});

test('a tab of one state shows every state once its filter is removed', async () => {
  const student = await child('Esha');
  const { id } = await ask(student, await discount());
  const shown = async (status: string) =>
    (await accountant.call(concessionList.api.list, { status })).rows.some((row) => row.id === id);
  expect([await shown('Requested'), await shown('0')]).toEqual([false, true]);
});

test('B3.4 a concession that needs approval is decided by a second person, never by the person who asked', async () => {
  const both = await school.person({ role: 'Staff', sets: ['accountant', 'principal'] });
  const student = await child('Dev');
  const { id, status } = await both.call(
    concessionApi.request,
    asked(student, await discount({ needsApproval: false, approvalAbove: 500 }), { reason: 'First of the grade' }),
  );
  expect(status).toBe('Requested');
  const [row] = await school.sql(`select id, student_id, reason from approval where fee_concession_id = ${id}`);
  expect(row).toMatchObject({ student_id: student, reason: 'First of the grade' });
  const decide = async (who: Person, over: object = {}) => {
    const { version, seen } = await principal.call(approvalApi.read, { id: Number(row?.id) });
    const body = { version, seen, outcome: 'Approved', remark: '', ...over };
    return who.send({ method: 'POST', url: `/api/approval/${row?.id}/decide`, body });
  };
  expect((await decide(both)).json.error.message).toBe('Another person decides on your request.');
  expect(await rowOf(id)).toMatchObject({ status: 'Requested' });
  expect((await decide(principal)).status).toBe(200);
  expect(await rowOf(id)).toMatchObject({ status: 'Approved' });
});

test('a rejected or withdrawn request gives nothing, and may be asked for again', async () => {
  const student = await child('Om');
  const discountId = await discount({ needsApproval: true });
  const first = await ask(student, discountId);
  const [request] = await school.sql(`select id, version from approval where fee_concession_id = ${first.id}`);
  await accountant.call(approvalApi.withdraw, { id: Number(request?.id), version: Number(request?.version) });
  expect(await rowOf(first.id)).toMatchObject({ status: 'Rejected' });
  expect((await ask(student, discountId)).status).toBe('Requested');
});

test('of one discount a student has one concession at a time', async () => {
  const student = await child('Tara');
  const discountId = await discount();
  const { id } = await ask(student, discountId);
  const once = { effectiveFrom: 'The student has this discount in these months already. End it first.' };
  expect(await refusal(asked(student, discountId, { effectiveFrom: monthOf(4) }))).toEqual(once);
  await accountant.call(concessionApi.end, { id, version: 1, lastDay: monthOf(3), reason: 'Scholarship ended' });
  expect(await refusal(asked(student, discountId, { effectiveFrom: monthOf(3) }))).toEqual(once);
  expect(await ask(student, discountId, { effectiveFrom: monthOf(4) })).toMatchObject({ status: 'Approved' });
});

test('a concession ends with the month of a day, never later than before; before its first month it is revoked', async () => {
  const student = await child('Zoya');
  const { id } = await ask(student, await discount(), { effectiveFrom: monthOf(2) });
  const end = (version: number, lastDay: string) =>
    accountant.call(concessionApi.end, { id, version, lastDay, reason: '' });
  await expect(end(1, year.endsOn)).rejects.toThrow();
  expect((await end(1, monthOf(6))).status).toBe('Approved');
  expect((await rowOf(id))?.effectiveTo.slice(0, 7)).toBe(monthOf(6).slice(0, 7));
  await expect(end(1, monthOf(4))).rejects.toThrow(/changed/);
  expect((await end(2, monthOf(1))).status).toBe('Revoked');
  await expect(school.sql(`update fee_concession set percent = 9000 where id = ${id}`)).rejects.toThrow(
    'a concession keeps its terms',
  );
});

test('a concession is for a month of its year and a student of it', async () => {
  const student = await child('Neel');
  const discountId = await discount();
  const month = 'Choose a month of the academic year.';
  expect(await refusal(asked(student, discountId, { effectiveFrom: monthOf(-1) }))).toEqual({ effectiveFrom: month });
  expect(await refusal(asked(student, discountId, { effectiveTo: monthOf(14) }))).toEqual({ effectiveTo: month });
  const other = await plant(school, yearMaster);
  const elsewhere = asked(student, discountId, { academicYearId: other.id });
  expect(await refusal(elsewhere)).toEqual({ studentId: 'The student is not enrolled in this academic year.' });
});

test('B3.10 an accountant of another branch finds neither the student nor the concession', async () => {
  const { id: branchId } = await plant(school, branchMaster);
  const stranger = await school.person({ role: 'Staff', sets: ['accountant'], branchIds: [branchId] });
  const student = await child('Lila');
  const discountId = await discount();
  const { id } = await ask(student, discountId);
  expect(await refusal(asked(student, discountId), stranger)).toEqual({
    studentId: 'The student is not enrolled in this academic year.',
  });
  expect((await stranger.call(concessionList.api.list, {})).rows).toEqual([]);
  expect((await stranger.send({ url: `/api/fee/concession/${id}/history` })).status).toBe(404);
  const body = { version: 1, lastDay: monthOf(3), reason: '' };
  expect((await stranger.send({ method: 'POST', url: `/api/fee/concession/${id}/end`, body })).status).toBe(404);
  expect(await stranger.call(concessionApi.students, {})).toEqual([]);
});

/** Children of one family, the eldest first. */
async function family(...names: string[]) {
  const ids: number[] = [];
  for (const [place, name] of names.entries()) ids.push(await child(name, { birthDate: `201${place}-03-01` }));
  await school.sql(`update student set family_id = ${ids[0]} where id in (${ids.join(', ')})`);
  return ids;
}
const renew = () => {
  const ctx = school.context();
  return ctx.db.transaction().execute((db) => renewSuggestions({ ...ctx, db }));
};
const only = { eligibility: 'Siblings' as const, percent: 1000, thirdPercent: 2000 };
const suggested = async (studentId: number, discountId: number) =>
  (await rowsOf(studentId)).filter((row) => row.status === 'Suggested' && row.discount === names.get(discountId));
test('B3.6 siblings are suggested by their place in the family; when the elder leaves, changes are suggested and nothing else', async () => {
  const discountId = await discount(only);
  const [eldest = 0, second = 0, third = 0] = await family('Asha', 'Bela', 'Charu');
  await renew();
  expect(await suggested(eldest, discountId)).toEqual([]);
  expect(await suggested(second, discountId)).toMatchObject([{ takesOff: '10 %' }]);
  const [wish] = await suggested(third, discountId);
  expect(wish).toMatchObject({ takesOff: '20 %' });

  const ids = [...(await suggested(second, discountId)), ...(await suggested(third, discountId))].map(({ id }) => id);
  const input = { selection: { ids, isAll: false, query: {} } };
  const preview = await accountant.call(concessionApi.grantMany, input);
  expect(preview).toMatchObject({ changed: 2, isApplied: false });
  expect(await suggested(third, discountId)).toHaveLength(1);
  await accountant.call(concessionApi.grantMany, { ...input, confirmToken: preview.confirmToken ?? '' });
  await renew();
  expect([await suggested(second, discountId), await suggested(third, discountId)]).toEqual([[], []]);

  await school.sql(
    `update student_enrollment set status = 'Left', left_on = joined_on + 30 where student_id = ${eldest}`,
  );
  // The act that ends the enrolment asks fees.
  const [left] = await school.sql(`select id, academic_year_id as year, left_on::text as day from student_enrollment
    where student_id = ${eldest}`);
  const change = { studentId: eldest, enrollmentId: Number(left?.id), yearId: Number(left?.year), kind: 'left' };
  await school.services.db
    .transaction()
    .execute((db) =>
      askFeatures({ ...school.context(), db }, enrolmentHook, [{ ...change, day: String(left?.day) }] as never),
    );
  const granted = async (id: number) =>
    (await rowsOf(id)).filter((row) => row.status === 'Approved').map((row) => [row.takesOff, row.effectiveTo]);
  const before = [await granted(second), await granted(third)];
  expect(before).toMatchObject([[['10 %', expect.any(String)]], [['20 %', expect.any(String)]]]);
  expect(await suggested(second, discountId)).toMatchObject([{ takesOff: 'Ends', isEnd: true }]);
  const [lower] = await suggested(third, discountId);
  expect(lower).toMatchObject({ takesOff: '10 %', isEnd: false });

  const last = { selection: { ids: [lower?.id ?? 0], isAll: false, query: {} } };
  const { confirmToken } = await accountant.call(concessionApi.grantMany, last);
  await accountant.call(concessionApi.grantMany, { ...last, confirmToken: confirmToken ?? '' });
  const after = await granted(third);
  expect(after.map(([off]) => off).sort()).toEqual(['10 %', '20 %']);
});

test('suggestions that need approval, or that another concession stands against, are skipped with the reason', async () => {
  const discountId = await discount({ ...only, needsApproval: true });
  const [, second = 0] = await family('Esha', 'Farah');
  await renew();
  const [wish] = await suggested(second, discountId);
  const answer = await accountant.call(concessionApi.grantMany, {
    selection: { ids: [wish?.id ?? 0], isAll: false, query: {} },
  });
  expect(answer).toMatchObject({
    changed: 0,
    confirmToken: null,
    skipped: [{ reason: { id: 'Needs approval. Ask for it instead.' } }],
  });
});
