import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FoundGroup, searchApi } from '#features/search/contract.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';

let school: School;
let admin: Person;
let hr: Person;
let colleague: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Zubin Wadia', role: 'Admin' });
  hr = await school.person({ name: 'Zarina Wadia', sets: ['hr'] });
  colleague = await school.person({ name: 'Zoravar Wadia', sets: ['office'] });
});
afterAll(() => school.close());

let made = 0;
/** A member of staff without an account; returns the id. */
async function employ(name: string, { lastDay = '', mobile = '', number = '' } = {}): Promise<number> {
  made++;
  const [row] = await school.sql(`insert into staff (name, employee_number, mobile)
    values ('${name}', '${number || `T${made}`}', ${mobile ? `'${mobile}'` : 'null'}) returning id`);
  await school.sql(`insert into staff_employment (staff_id, joined_on, last_day)
    values (${row?.id}, '2020-06-01', ${lastDay ? `'${lastDay}'` : 'null'})`);
  return Number(row?.id);
}

const hitsOf = (groups: FoundGroup[]) => groups.find(({ kind }) => kind === 'staff')?.hits ?? [];
const find = async (search: string, person = colleague) =>
  hitsOf(await person.call(searchApi.find, { search })).map(({ closeness: _, ...hit }) => hit);
const titles = async (search: string, person = colleague) => (await find(search, person)).map(({ title }) => title);

test('a name typed in Latin, Gujarati or Devanagari script finds the name written in any of them', async () => {
  const names = ['Jignesh Trivedi', 'જીગ્નેશ ત્રિવેદી', 'जिग्नेश त्रिवेदी'];
  for (const name of names) await employ(name);
  for (const typed of [...names, 'trivedi jig', 'ત્રિવે', 'त्रिवेदी', 'જિગ્નેશ', 'ｊｉｇｎｅｓｈ']) {
    expect([typed, (await titles(typed)).sort()]).toEqual([typed, [...names].sort()]);
  }
});

test('spellings of one sound find each other, and names of two families stay apart', async () => {
  await employ('Poojaa Zaveri');
  expect(await titles('puja javeri')).toEqual(['Poojaa Zaveri']);
  for (const name of ['Rupal Shah', 'Rupal Saha', 'Rupal Patel', 'Rupal Patil']) await employ(name);
  expect((await titles('rupal shah'))[0]).toBe('Rupal Shah');
  expect((await titles('rupal saha'))[0]).toBe('Rupal Saha');
  expect((await titles('rupal પાટીલ'))[0]).toBe('Rupal Patil');
  expect((await titles('rupal पटेल'))[0]).toBe('Rupal Patel');
});

test('Shaikh, Sheikh, Shekh and શેખ are one surname, found by the beginning of each spelling', async () => {
  const names = ['Farida Shaikh', 'Firoz Sheikh', 'Fatima Shekh', 'ફરાહ શેખ', 'फ़ैज़ान शेख'];
  for (const name of names) await employ(name);
  for (const typed of ['shaikh', 'Sheikh', 'shekh', 'શેખ', 'शेख', 'sha', 'shei', 'she'])
    expect([typed, (await titles(typed)).filter((name) => names.includes(name)).sort()]).toEqual([typed, names.sort()]);
  expect((await titles('farida shek'))[0]).toBe('Farida Shaikh');
});

test('a misspelt name finds the person, after those whose name was typed exactly', async () => {
  await employ('Bhavesh Solanki', { number: 'BS 8712' });
  await employ('Bhavesh Solankar');
  expect(await titles('bhavsh solanki')).toEqual(['Bhavesh Solanki', 'Bhavesh Solankar']);
  expect(await titles('bhavesh solankar')).toEqual(['Bhavesh Solankar', 'Bhavesh Solanki']);
  expect(await titles('bhavsh 8712')).toEqual(['Bhavesh Solanki']);
  expect(await titles('bhavsh 8713')).toEqual([]);
});

test('a name found by its whole words comes first, then one that begins with them, then a similar one', async () => {
  for (const name of ['Chetan Modiya', 'Chetana Modi', 'Chetna Modhi', 'Zarna Chetan Modi']) await employ(name);
  expect(await titles('chetan modi')).toEqual(['Zarna Chetan Modi', 'Chetan Modiya', 'Chetana Modi', 'Chetna Modhi']);
});

test('one word finds no name that shares only its first three letters', async () => {
  for (const name of ['Bhavin Dalal', 'Kirit Bhatt', 'Nita Bhatt']) await employ(name);
  for (const typed of ['bhavin', 'bhavi', 'bavin']) {
    const found = await titles(typed);
    expect([typed, found[0]]).toEqual([typed, 'Bhavin Dalal']);
    expect([typed, found.filter((name) => name.endsWith('Bhatt'))]).toEqual([typed, []]);
  }
});

test('an h that is not heard makes no difference, and the beginning of each spelling finds its name', async () => {
  const names = ['Jignesh Vora', 'Jignasha Vohra', 'જીગર વોહરા'];
  for (const name of names) await employ(name);
  for (const typed of ['vora', 'vohra', 'વોરા', 'વોહરા', 'vor', 'vohr'])
    expect([typed, (await titles(typed)).sort()]).toEqual([typed, [...names].sort()]);
  expect((await titles('jignes vohra'))[0]).toBe('Jignesh Vora');
  expect(await titles('voh')).toContain('Jignasha Vohra');
  for (const name of ['Salma Rahman', 'Salma Raman']) await employ(name);
  expect((await titles('salma raman'))[0]).toBe('Salma Raman');
  expect((await titles('salma rahman'))[0]).toBe('Salma Rahman');
});

test('a doubled consonant ends a Gujarati name without a vowel', async () => {
  await employ('Urvashi Bhatt');
  const [group] = await colleague.call(searchApi.find, { search: 'ઉર્વશી ભટ્ટ' });
  expect(group?.hits).toMatchObject([{ title: 'Urvashi Bhatt', closeness: 2 }]);
});

test('letters without a key of their own find names that have these very letters', async () => {
  for (const name of ['Aarav Jhala', 'Jaya Sutaria', 'Kesar Qazi']) await employ(name);
  for (const typed of ['zzzz', 'qqqq', 'ssss', 'aaaa', 'zzzz jhala'])
    expect([typed, await titles(typed)]).toEqual([typed, []]);
  expect(await titles('aa')).toEqual(['Aarav Jhala']);
  expect(await titles('j kesar')).toEqual([]);
  expect(await titles('q kesar')).toEqual(['Kesar Qazi']);
});

test('an employee number is found by its beginning, with and without its letters', async () => {
  await employ('Number Person', { number: 'QX-0471' });
  for (const typed of ['QX-0471', 'qx-04', 'qx0471', '0471', '047', 'ＱＸ－０４７１', 'qx\u200b-0471'])
    expect([typed, await titles(typed)]).toEqual([typed, ['Number Person']]);
  expect(await titles('471')).toEqual([]);
});

test('only Admin and HR find a person by mobile number, whole or by a part of it, and read it masked', async () => {
  const id = await employ('Mobile Person', { mobile: '9099012345' });
  for (const person of [admin, hr]) {
    for (const typed of [
      '9099012345',
      '+91 90990 12345',
      '09099012345',
      '0091 (90990) 12345',
      '૯૦૯૯૦ ૧૨૩૪૫',
      '90990-12345',
      '12345',
      '2345',
    ]) {
      expect([typed, await find(typed, person)]).toEqual([
        typed,
        [{ id, title: 'Mobile Person', detail: '••••••2345', to: `staff/view-staff/${id}` }],
      ]);
    }
    expect(await titles('345', person)).toEqual([]);
    expect(await titles('9012', person)).toEqual(['Mobile Person']);
    expect((await find('mobile person', person))[0]?.detail).toBe('');
  }
  for (const typed of ['9099012345', '12345', '2345']) expect(await titles(typed)).toEqual([]);
});

test('a colleague reads the designation and department of today, and nothing personal', async () => {
  const id = await employ('Posted Person', { mobile: '9099054321' });
  await school.sql(`insert into academic_designation (name) values ('Librarian of yore'), ('Librarian of today'), ('Head librarian');
    insert into academic_department (name, code) values ('Library of today', 'LIBT')`);
  const post = (designation: string, from: string, until: string) =>
    school.sql(`insert into staff_post
        (staff_id, designation_id, department_id, branch_id, effective_from, effective_to)
      select ${id}, designation.id, department.id, (select min(id) from academic_branch), ${from}, ${until}
      from academic_designation designation, academic_department department
      where designation.name = '${designation}' and department.code = 'LIBT'`);
  await post('Librarian of yore', `'2020-06-01'`, `'2021-05-31'`);
  await post('Librarian of today', `'2021-06-01'`, `'2090-05-31'`);
  await post('Head librarian', `'2090-06-01'`, 'null');
  expect(await find('posted')).toEqual([
    { id, title: 'Posted Person', detail: 'Librarian of today · Library of today', to: `staff/view-staff/${id}` },
  ]);
});

test('a person who has left is found by Admin and HR alone, last, and with the day', async () => {
  await employ('Gone Person', { lastDay: '2024-03-31' });
  await employ('Gone Personally');
  expect(await titles('gone pers')).toEqual(['Gone Personally']);
  expect(await titles('gon persn')).toEqual(['Gone Personally']);
  for (const person of [admin, hr]) {
    const found = await find('gone pers', person);
    expect(found.map(({ title, note }) => [title, note && english(note)])).toEqual([
      ['Gone Personally', undefined],
      ['Gone Person', 'Left on 31 Mar 2024'],
    ]);
    expect((await titles('gone person', person))[0]).toBe('Gone Person');
  }
});

test('the last day is still a day of work, and a person who came back has not left', async () => {
  const id = await employ('Returned Person', { lastDay: '2024-03-31' });
  await school.sql(`insert into staff_employment (staff_id, joined_on) values (${id}, '2025-06-02')`);
  expect(await find('returned', admin)).toEqual([expect.not.objectContaining({ note: expect.anything() })]);
  await employ('Lastly Person', { lastDay: '2026-11-25' });
  school.clock.now = new Date('2026-11-25T18:00:00Z');
  expect(await titles('lastly')).toEqual(['Lastly Person']);
  school.clock.now = new Date('2026-11-25T18:31:00Z');
  expect(await titles('lastly')).toEqual([]);
  school.clock.now = undefined;
});

test('a search has few hits, those whose name begins with the words first, and one character finds nothing', async () => {
  for (let number = 0; number < 20; number++) await employ(`Xavier Xylo${String.fromCharCode(97 + number)}`);
  await employ('Abel Xavier');
  const found = await titles('xav');
  expect(found).toEqual(Array.from({ length: 10 }, (_, number) => `Xavier Xylo${String.fromCharCode(97 + number)}`));
  expect(await colleague.call(searchApi.find, { search: 'x' })).toEqual([]);
  expect(await colleague.call(searchApi.find, { search: '%_' })).toEqual([]);
  expect(await titles(`o'%`)).toEqual([]);
});

test('nobody finds anybody without signing in', async () => {
  expect((await school.send({ url: '/api/search?search=wadia' })).status).toBe(401);
});
