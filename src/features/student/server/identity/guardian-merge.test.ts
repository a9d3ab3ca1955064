import { afterAll, beforeAll, expect, test } from 'vitest';
import { renewSuggestions } from '#features/fee-price/server/discount/suggest.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { digestsOf } from '#testing/digests.ts';
import { linkValueOf } from '#testing/family.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { guardianApi } from '../../contract/guardian.ts';
import { guardianMergeApi } from '../../contract/guardian-merge.ts';
import { studentRecordApi } from '../../contract/record.ts';
import { matchGuardians } from '../family/match-guardians.ts';

let school: School;
let office: Person;
let section: number;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', sets: ['office'] });
  section = await openSection(school);
});
afterAll(() => school.close());

const link = (student: number, guardian: number, over: Record<string, unknown> = {}) => {
  const row = {
    role: 'Parent',
    is_primary: false,
    contact_order: 2,
    may_collect: true,
    receives_messages: true,
    ...over,
  };
  return school.sql(`insert into student_guardian (student_id, guardian_id, relation_id, ${Object.keys(row).join()})
    select ${student}, ${guardian}, (select min(id) from academic_lookup where kind = 'Relation' and name = 'Father'),
      ${Object.values(row)
        .map((value) => (typeof value === 'string' ? `'${value}'` : value))
        .join()}`);
};
const linksOf = (guardian: number) =>
  school.sql(`select student_id, is_primary, is_barred, may_collect, receives_messages, restriction from student_guardian
    where guardian_id = ${guardian} order by student_id`);
const input = (id: number, retiredId: number, taken: string[] = []) => ({
  id,
  retiredId,
  taken,
  reason: 'Entered twice',
});
const merge = async (id: number, retiredId: number, taken: string[] = []) => {
  const given = input(id, retiredId, taken);
  const { confirmToken } = await office.call(guardianMergeApi.merge, given);
  return office.call(guardianMergeApi.merge, { ...given, confirmToken: confirmToken ?? '' });
};
const pageOf = async (link: string) => (await school.send({ url: `/api/family?family=${link}` })).status;

const child = (name: string, birthDate: string) => seat(school, section, name, { birthDate });
const free = { is_barred: false, may_collect: true, receives_messages: true, restriction: '' };
const mayAll = (...adults: number[]) =>
  school.sql(
    `update student_guardian set may_collect = true, receives_messages = true where guardian_id in (${adults})`,
  );

test('Q1.12 two records of an adult become one: the children are brothers and sisters, a concession is suggested and not given, and one link of the family page works', async () => {
  await school.sql(`insert into fee_discount (name, code, value_kind, percent, all_heads, eligibility, priority, needs_approval)
    values ('Second child', 'SIB', 'Percent', 1000, true, 'Siblings', 1, false)`);
  const asha = await child('Asha', '2014-01-01');
  const bela = await child('Bela', '2016-01-01');
  const chirag = await child('Chirag', '2018-01-01');
  const kept = await raise(school, [asha, bela], { firstName: 'Ramesh', mobile: '5550701001' });
  const other = await raise(school, [chirag], { firstName: 'Rameshbhai', mobile: '5550701001' });
  await mayAll(kept, other);
  await school.sql(`update guardian set occupation = 'Farmer', email = 'ramesh@family.example',
    first_name_local = 'રમેશભાઈ', last_name_local = 'શાહ' where id = ${other}`);
  await renewSuggestions(school.context());
  const links = [await linkValueOf(school, kept), await linkValueOf(school, other)];
  expect(await Promise.all(links.map(pageOf))).toEqual([200, 200]);

  const { guardians } = await office.call(guardianApi.family, { id: chirag });
  expect(guardians).toMatchObject([{ name: 'Rameshbhai Shah', mayBeTwice: true }]);
  expect(await office.call(guardianMergeApi.doubts, { id: other })).toMatchObject({
    name: 'Rameshbhai Shah',
    adults: [{ id: kept, name: 'Ramesh Shah', mobile: '5550701001' }],
  });
  const compared = await office.call(guardianMergeApi.compare, { id: other, with: kept });
  expect([compared.kept.id, compared.retired.id]).toEqual([kept, other]);
  expect(compared.fields.map(({ name }) => name)).toEqual([
    'firstName',
    'email',
    'occupation',
    'firstNameLocal',
    'lastNameLocal',
  ]);

  const before = (await digestsOf(school)).filter(({ name }) => name !== 'attempt');
  const preview = await office.call(guardianMergeApi.merge, input(kept, other));
  expect((await digestsOf(school)).filter(({ name }) => name !== 'attempt')).toEqual(before);
  expect(preview.blocks).toEqual([]);
  expect(preview.sums.map(({ label, ...sum }) => [label.id, sum.kept, sum.retired, sum.after])).toEqual([
    ['Children', 2, 1, 3],
    ['Payments made', 0, 0, 0],
    ['Links of the family page', 1, 1, 1],
  ]);
  expect(preview.texts.map(english)).toEqual([
    'Asha, Bela, Chirag become brothers and sisters.',
    'The household of Ramesh Shah: Asha, Bela, Chirag.',
    'Second child is then suggested for Chirag Shah, and not given.',
    'The link of the record that ends stops working; the other one shows all children.',
    'A merge can’t be undone.',
  ]);

  expect(await merge(kept, other)).toMatchObject({ isApplied: true });
  expect(await linksOf(kept)).toEqual(
    [asha, bela, chirag].map((student_id) => ({ student_id, is_primary: true, ...free })),
  );
  expect(await linksOf(other)).toEqual([]);
  const { family } = await office.call(studentRecordApi.read, { id: chirag });
  expect(new Set(family?.siblings.map(({ id }) => id))).toEqual(new Set([asha, bela]));
  expect(
    await school.sql(`select student_id, status from fee_concession where student_id in (${[asha, bela, chirag]})
      order by student_id`),
  ).toEqual([bela, chirag].map((student_id) => ({ student_id, status: 'Suggested' })));
  expect(await Promise.all(links.map(pageOf))).toEqual([200, 404]);
  // Ramesh is not written as Rameshbhai.
  expect(
    await school.sql(`select first_name_local as first, last_name_local as last, occupation, email, mobile
      from guardian where id = ${kept}`),
  ).toEqual([{ first: '', last: 'શાહ', occupation: 'Farmer', email: 'ramesh@family.example', mobile: '5550701001' }]);
  expect(await school.sql(`select merged_into_id from guardian where id = ${other}`)).toEqual([
    { merged_into_id: kept },
  ]);
  expect(
    await school.sql(`select action from audit where entity = 'guardian' and entity_id in (${kept}, ${other})
      and action = 'guardian.merged'`),
  ).toHaveLength(2);
});

test('Q1.12 of a child with both records a bar wins, and another adult is called first; else the rights of the kept record hold', async () => {
  const dev = await child('Dev', '2019-02-01');
  const esha = await child('Esha', '2019-03-01');
  const kept = await raise(school, [dev, esha], { firstName: 'Naresh', mobile: '5550701009' });
  const other = await raise(school, [dev, esha], { firstName: 'Naresh' }, { isPrimary: false });
  const mother = await raise(school, [dev], { firstName: 'Kokila' }, { relation: 'Mother', isPrimary: false });
  await mayAll(kept);
  await school.sql(`update student_guardian set is_barred = true, restriction = 'Court order 7'
    where guardian_id = ${other} and student_id = ${dev}`);
  expect(await office.call(guardianMergeApi.doubts, { id: other })).toMatchObject({ adults: [{ id: kept }] });
  const { texts } = await office.call(guardianMergeApi.merge, input(kept, other));
  expect(texts.map(english)).toEqual(
    expect.arrayContaining([
      'The household of Naresh Shah: Esha.',
      'Dev Shah: barred from contact, as one of the records says.',
      'Dev Shah: Kokila Shah is called first.',
    ]),
  );
  await merge(kept, other);
  expect(await linksOf(kept)).toEqual([
    {
      student_id: dev,
      ...{ is_primary: false, is_barred: true, may_collect: false, receives_messages: false },
      restriction: 'Court order 7',
    },
    { student_id: esha, is_primary: true, ...free },
  ]);
  expect(await school.sql(`select guardian_id from student_guardian where student_id = ${dev} and is_primary`)).toEqual(
    [{ guardian_id: mother }],
  );
});

test('Q1.12 an adult who ended is linked to nobody, found by no comparison and merged no second time, and the payer is the kept adult', async () => {
  const one = await seat(school, section, 'Ela');
  const two = await seat(school, section, 'Foram');
  const kept = await raise(school, [one], { firstName: 'Suresh', mobile: '5550701002' });
  const other = await raise(school, [two], { firstName: 'Suresh', mobile: '5550701002' });
  await merge(kept, other);
  const named = {
    child: 0,
    firstName: 'Suresh',
    lastName: 'Shah',
    mobile: '5550701002',
    email: '',
    relation: 'Father',
  };
  expect(await matchGuardians({ db: school.services.db }, [named], false)).toEqual([{ certain: kept, likely: [] }]);
  expect(await school.sql(`select guardian_now(${other}) as now`)).toEqual([{ now: kept }]);
  await expect(link(one, other)).rejects.toThrow('the adult was merged');
  await expect(school.sql(`update guardian set merged_into_id = null where id = ${other}`)).rejects.toThrow(
    'an adult ends by a merge alone',
  );
  await expect(office.call(guardianMergeApi.merge, input(kept, other))).rejects.toMatchObject({ code: 'not_found' });
  await expect(office.call(guardianMergeApi.merge, input(kept, kept))).rejects.toMatchObject({ code: 'invalid' });
});

test('Q1.12 what stands in the way is named: children of another branch, more than twelve children', async () => {
  const [place] = await school.sql(`insert into academic_branch (name, code) values ('Far', 'FAR') returning id`);
  const far = await openSection(school, { branchId: Number(place?.id) });
  const [own] = await school.sql(`select branch_id as id from academic_section where id = ${section}`);
  const clerk = await school.person({ sets: ['office'], branchIds: [Number(own?.id)] });
  const here = await seat(school, section, 'Gita');
  const there = await seat(school, far, 'Hetal');
  const kept = await raise(school, [here], { firstName: 'Mahesh', mobile: '5550701003' });
  const other = await raise(school, [there], { firstName: 'Mahesh', mobile: '5550701003' });
  await link(here, other);
  const blocksOf = async (person: Person, id: number, retiredId: number) =>
    (await person.call(guardianMergeApi.merge, input(id, retiredId))).blocks.map(english);
  expect(await blocksOf(clerk, kept, other)).toEqual([
    'Children of other branches have one of these adults. An Admin can merge them.',
  ]);
  const admin = await school.person({ role: 'Admin' });
  expect(await blocksOf(admin, kept, other)).toEqual([]);
  const many = [];
  for (let index = 0; index < 12; index++) many.push(await seat(school, section, `Child${index}`));
  const warden = await raise(school, many, { firstName: 'Mahesh', mobile: '5550701003' });
  expect(await blocksOf(admin, kept, warden)).toEqual([
    'The adult would have 13 children. Choose Contact for a warden or an institution first.',
  ]);
});
