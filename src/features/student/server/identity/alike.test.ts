import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { alikeStudents, type NamedChild } from './alike.ts';

let school: School;
let section: number;
let branchId: number;
beforeAll(async () => {
  school = await openSchool();
  section = await openSection(school);
  const [row] = await school.sql(`select branch_id as id from academic_section where id = ${section}`);
  branchId = Number(row?.id);
});
afterAll(() => school.close());

const child = (over: Partial<NamedChild>): NamedChild => ({
  firstName: 'Riya',
  lastName: 'Shah',
  gender: '',
  birthDate: '2018-08-04',
  grNo: '',
  branchId,
  mobiles: [],
  ...over,
});
/** "asked", "shown", or '' for each child, about one student. */
const answers = async (id: number, ...children: Partial<NamedChild>[]) =>
  (await alikeStudents({ db: school.services.db }, children.map(child))).map((found) => {
    const one = found.find((alike) => alike.id === id);
    return one ? (one.isAsked ? 'asked' : 'shown') : '';
  });

test.each([
  [['Rameshbhai', ''], ['Ramesh K.', 'Patel'], 2],
  [['Patel', 'Riya'], ['Riya', 'Patel'], 2],
  [['Riya', 'Patel'], ['રિયા', 'પટેલ'], 2],
  [['रिया', 'पटेल'], ['રિયા', 'પટેલ'], 2],
  [['Mohd Ayaan', 'Shaikh'], ['Mohammed Ayan', 'Sheikh'], 2],
  [['Madhubala', ''], ['Madhubala', 'Shah'], 2],
  [['Late Shri Ramesh', 'Vohra'], ['Ramesh', 'Vora'], 2],
  [['Riya', 'Patel'], ['Riya', 'Shah'], 1],
  [['Dhruv', 'Shah'], ['Dhruvi', 'Shah'], 1],
  [['Krish', 'Shah'], ['Krishna', 'Shah'], 1],
  [['Riya', 'Shah'], ['Ria', 'Shah'], 0],
  [['Asha', 'Shah'], ['Usha', 'Shah'], 0],
  [['Diya', 'Shah'], ['Divya', 'Shah'], 0],
  [['Ali Hasan', 'Shaikh'], ['Ali Husain', 'Shaikh'], 0],
  [['Child 5', 'Shah'], ['Child 50', 'Shah'], 0],
  [['', ''], ['', ''], 0],
])('Q1.3 the names %j and %j fit by %i, each way round', async (one, other, fit) => {
  const words = ([first, last]: string[]) => `name_words('${first}'), name_words('${last}')`;
  const rows = await school.sql(
    `select names_fit(${words(one)}, ${words(other)}) as there, names_fit(${words(other)}, ${words(one)}) as back`,
  );
  expect(rows).toEqual([{ there: fit, back: fit }]);
});

test.each(['1722', '1722.0', '૧૭૨૨', '१७२२', '１７２２', 'G.R. 1722', 'GR-1722', 'gr no 1722', '01722', ' 1722 '])(
  'Q1.1 the GR number “%s” is number 1722',
  async (typed) => {
    expect(await school.sql(`select gr_key('${typed}') as key`)).toEqual([{ key: '1722' }]);
  },
);

test('Q1.1 a child of the same name and birth date is asked about, in any script, and with another day only shown', async () => {
  const riya = await seat(school, section, 'Riya', { birthDate: '2018-08-04' });
  expect(
    await answers(
      riya,
      {},
      { firstName: 'રિયા', lastName: 'શાહ' },
      { firstName: 'Shah', lastName: 'Riya' },
      { birthDate: '2018-04-08' },
      { birthDate: '2018-08-05' },
      { birthDate: '2019-09-04' },
      { birthDate: '' },
      { firstName: 'Ria' },
    ),
  ).toEqual(['asked', 'asked', 'asked', 'shown', 'shown', '', '', '']);
  await raise(school, [riya], { firstName: 'Priya', mobile: '5550201465' });
  const mobiles = ['5550201465'];
  expect(
    await answers(riya, { birthDate: '2018-04-08', mobiles }, { lastName: 'Mehta', mobiles }, { lastName: 'Mehta' }),
  ).toEqual(['asked', 'asked', '']);
});

test('Q1.1 a GR number that is written otherwise is asked about where the names are near, and else shown', async () => {
  const asha = await seat(school, section, 'Ashaben', { birthDate: '2017-01-09' });
  const [row] = await school.sql(`select gr_no as number from student where id = ${asha}`);
  const asked = { firstName: 'Asha', birthDate: '2014-12-31', grNo: `G.R. 00${row?.number}.0` };
  expect(await answers(asha, asked, { ...asked, firstName: 'Devang' }, { ...asked, branchId: null })).toEqual([
    'asked',
    'shown',
    '',
  ]);
});

test('Q1.2 twins of two names are not asked about, and of near names only shown where both are girls or boys', async () => {
  const dhruv = await seat(school, section, 'Dhruv', { birthDate: '2018-02-03' });
  const twin = { birthDate: '2018-02-03', mobiles: ['5550201466'] };
  await raise(school, [dhruv], { firstName: 'Meera', mobile: '5550201466' });
  const [row] = await school.sql(`select gender from student where id = ${dhruv}`);
  const other = row?.gender === 'M' ? 'F' : 'M';
  expect(
    await answers(
      dhruv,
      { ...twin, firstName: 'Usha' },
      { ...twin, firstName: 'Dhruvi', gender: other },
      { ...twin, firstName: 'Dhruvi', gender: String(row?.gender) },
    ),
  ).toEqual(['', '', 'shown']);
});
