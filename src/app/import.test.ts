import { type AddressInfo, connect } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boardMaster, gradeMaster, houseMaster, programMaster } from '#features/academic/contract/masters.ts';
import { termMaster, yearMaster } from '#features/calendar/contract/masters.ts';
import { departmentMaster } from '#features/school/contract/masters.ts';
import { skillMaster } from '#features/skill/contract/masters.ts';
import { tagMaster } from '#features/tag/contract/masters.ts';
import type { AppError } from '#kit/contract/errors.ts';
import { importBytes } from '#kit/contract/import-limits.ts';
import type { Master } from '#kit/contract/master.ts';
import type { Person } from '#testing/browser.ts';
import { contentsOf, failingAt } from '#testing/failing.ts';
import { readFile } from '#testing/imported-rows.ts';
import { create } from '#testing/masters.ts';
import { inEnglish } from '#testing/messages.ts';
import { openOwnSchool, openSchool, paper, type School } from '#testing/school.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
});
afterAll(() => school.close());

const send = (master: Master, body: object) => admin.send({ method: 'POST', url: `/api${master.path}/import`, body });
const tokenOf = async (master: Master, file: string) => (await dry(master, file)).confirmToken ?? '';
/** Applies what the preview showed. */
const confirm = async (master: Master, file: string) =>
  admin.call(master.api.import, { file, confirmToken: await tokenOf(master, file) });
const dry = (master: Master, file: string) => admin.call(master.api.import, { file });
/** The refusal of a file as a whole. */
const refusal = async (master: Master, file: string) => {
  const { status, json } = await send(master, { file });
  return [status, json.error?.fields?.file ?? json.error?.message];
};
const wrongRows = async (master: Master, file: string) => {
  const { rows } = await dry(master, file);
  return rows.filter(({ status }) => status === 'wrong').map(({ line, messages }) => [line, inEnglish(messages)]);
};
/** The refusal that a call throws. */
async function refusedBy(act: () => Promise<unknown>): Promise<AppError | undefined> {
  try {
    await act();
  } catch (error) {
    return error as AppError;
  }
}
const contents = async () => ({ ...(await contentsOf(school)), sign_in_session: '' });

describe('a file that is no list', () => {
  const other = 'Choose an Excel file (.xlsx) or a CSV UTF-8 file.';
  const longList = `Name,Colour\n${Array.from({ length: 50_000 }, (_, n) => `House ${n},Teal`).join('\n')}`;
  test.each([
    ['a workbook as text', 'PK\u0003\u0004xl/workbook.xml', other],
    ['a PDF', '%PDF-1.7', 'This is a PDF file. Open it and save it as .xlsx.'],
    ['bytes', 'Name\na\u0000b', other],
    ['letters of another code', 'Name\nGr\ufffdn', other],
    ['nothing', '', 'This file has no rows. Add rows below the headings.'],
    ['heads alone', 'Name,Colour\n', 'This file has no rows. Add rows below the headings.'],
    ['empty rows', 'Name,Colour\n,\n , \n', 'This file has no rows. Add rows below the headings.'],
    [
      'a quote that does not end in a single column',
      'Name\n"A\n',
      'Line 2 can’t be read. Check its commas and quotation marks.',
    ],
    ['50 000 rows', longList, 'This file has 50,000 rows. Import at most 20,000 at a time.'],
  ])('%s is refused when it is parsed', async (_what, file, message) => {
    const refused = await refusedBy(() => readFile(file));
    expect([refused?.code, inEnglish(refused?.fields ?? {})]).toEqual(['invalid', { file: message }]);
  });

  test.each([
    [
      'another list',
      'Name,Affiliation number\nA,1\n',
      'Unknown column “Affiliation number”. Use these columns: Name, Colour, House master, Active.',
    ],
    ['a column twice', 'Name,name\nA,B\n', 'The column “name” appears twice.'],
    ['no key', 'Colour\nTeal\n', 'The column “Name” is missing.'],
    ['a comma too many', 'Name,Colour\nA,Teal,x\n', 'Line 2 can’t be read. Check its commas and quotation marks.'],
    ['a workbook as text', 'PK\u0003\u0004xl/workbook.xml', other],
  ])('%s is refused with a message at the file', async (_what, file, message) => {
    expect(await refusal(houseMaster, file)).toEqual([422, message]);
  });

  test('a picture', async () => {
    const file = new TextDecoder().decode(await (await paper('x')).arrayBuffer());
    expect((await refusal(houseMaster, file))[0]).toBe(422);
  });

  test('a body that no file of five megabytes needs', async () => {
    const huge = await send(houseMaster, { file: 'x'.repeat(importBytes * 2 + 1) });
    expect([huge.status, huge.json.error.code]).toEqual([413, 'too_large']);
  });
});

describe('a row that cannot be taken', () => {
  test('each is named with its line and what to do, and none of the others is taken', async () => {
    const before = await contents();
    const file = [
      'Name,Group,Colour,For,Restricted,Active',
      'Good,Talent,Teal,Student,no,yes',
      ',Talent,Teal,Student,no,yes',
      'Colourless,Talent,Mauve,Student,no,yes',
      'Nowhere,Nothing,Teal,Student,no,yes',
      'Aimless,Talent,Teal,Parents,no,yes',
      'Undecided,Talent,Teal,Student,maybe,yes',
      `${'x'.repeat(31)},Talent,Teal,Student,no,yes`,
      '"=HYPERLINK(""http://x"")",Talent,Teal,Student,no,yes',
      'good,talent,Blue,Staff,no,yes',
    ].join('\r\n');
    await school.sql(`insert into configuration_tag_group (name) values ('Talent')`);
    expect(await wrongRows(tagMaster, file)).toEqual([
      [3, { name: 'Name is required.' }],
      [4, { colour: 'Use one of these: Teal, Blue, Indigo, Purple, Pink, Red, Orange, Amber, Green, Grey.' }],
      [5, { tagGroupId: '“Nothing” does not exist.' }],
      [6, { scopes: 'Use one of these: Student, Staff, Observation, Homework, Ticket, Announcement, Admission.' }],
      [7, { isRestricted: 'Enter Yes or No.' }],
      [8, { name: 'Use at most 30 characters.' }],
      [9, { name: 'Text can’t start with =. Remove the =.' }],
      [10, { tagGroupId: 'Line 2 of the file has the same entry.' }],
    ]);
    const { confirmToken, counts } = await dry(tagMaster, file);
    expect([confirmToken, counts]).toEqual([null, { added: 1, changed: 0, same: 0, wrong: 8 }]);
    await expect(confirm(tagMaster, file)).rejects.toMatchObject({ code: 'stale' });
    await school.sql(`delete from configuration_tag_group where name = 'Talent'`);
    expect(await contents()).toEqual(before);
  });

  test('days are read as India writes them, and what is no day is said to be none', async () => {
    const file = [
      'Name,First day,Last day,Age cut-off date',
      '2061-62,2061-06-01,2062-05-31,2061-06-01',
      '2062-63,01-06-2062,31/05/2063,1 Jun 2062',
      '2063-64,06/31/2063,2064-05-31,2063-06-01',
      '2064-65,43831,2065-05-31,2064-06-01',
    ].join('\n');
    expect(await wrongRows(yearMaster, file)).toEqual([
      [4, { startsOn: 'Enter a valid date, such as 21-11-2026.' }],
      [5, { startsOn: 'Enter a valid date, such as 21-11-2026.' }],
    ]);
    const good = file.split('\n').slice(0, 3).join('\n');
    await confirm(yearMaster, good);
    const rows = await school.sql(`select starts_on::text, ends_on::text from academic_year where name = '2062-63'`);
    expect(rows).toEqual([{ starts_on: '2062-06-01', ends_on: '2063-05-31' }]);
  });

  test('rows that only the database can refuse are found one by one, among hundreds', async () => {
    const { id, startsOn } = await create(admin, yearMaster);
    const [{ name } = {}] = await school.sql(`select name from academic_year where id = ${id}`);
    const start = Number(String(startsOn).slice(0, 4));
    const day = (n: number) => new Date(Date.UTC(start, 5, 1 + n)).toISOString().slice(0, 10);
    const terms = Array.from({ length: 300 }, (_, n) => `${name},Term ${n},${day(n)},${day(n)}`);
    terms[120] = `${name},Term 120,${day(119)},${day(120)}`;
    terms[250] = `${name},Term 250,${start - 1}-06-01,${start - 1}-06-02`;
    const file = `Academic year,Name,First day,Last day\n${terms.join('\n')}`;
    expect(await wrongRows(termMaster, file)).toEqual([
      [122, { startsOn: 'These days overlap another entry.' }],
      [252, { startsOn: 'Enter dates within the academic year.' }],
    ]);
  });

  test('of names that mean several rows none is guessed', async () => {
    await school.sql(`insert into staff (name, employee_number) values ('Two Of Them', 'T1'), ('Two Of Them', 'T2')`);
    const file = 'Name,Head\nArts,Two Of Them\n';
    expect(await wrongRows(departmentMaster, file)).toEqual([
      [2, { staffId: '“Two Of Them” matches more than one entry.' }],
    ]);
  });
});

test('N3.4 an import of skills is tried without being done, changes what is there, and adds what is not', async () => {
  await school.sql(`insert into configuration_skill_domain (name, position) values ('Cognitive', 1)`);
  const file =
    'Domain;Name;Stages;Description\nCognitive;Counts to ten;Foundational, Preparatory;"With things; aloud"\n';
  const before = await contents();
  expect((await dry(skillMaster, file)).counts).toEqual({ added: 1, changed: 0, same: 0, wrong: 0 });
  expect(await contents()).toEqual(before);
  await confirm(skillMaster, file);
  const shouted = file.replace('Counts to ten', 'COUNTS TO TEN').replace('aloud', 'silently');
  expect((await dry(skillMaster, shouted)).counts).toEqual({ added: 0, changed: 1, same: 0, wrong: 0 });
  await confirm(skillMaster, shouted);
  expect(await school.sql('select name, stages, description, version from configuration_skill')).toEqual([
    {
      name: 'COUNTS TO TEN',
      stages: ['Foundational', 'Preparatory'],
      description: 'With things; silently',
      version: 2,
    },
  ]);
  const [row] = await school.sql('select id from configuration_skill');
  const { rows } = await admin.call(skillMaster.api.history, { id: Number(row?.id) });
  expect(rows.map(({ action, actor }) => [action, actor])).toEqual([
    ['changed', 'Asha'],
    ['created', 'Asha'],
  ]);
});

test('E4 what would be calculated by a spreadsheet is exported as text, and imported as it was', async () => {
  const names = ['=1+1', '+91', '-5+1', '@home', "'quoted", 'a,"b" c', '-5'];
  for (const [index, name] of names.entries())
    await school
      .sql(`insert into academic_house (name, colour) values ('${name.replaceAll("'", "''")}', 'Teal')`)
      .catch((error) => expect([index, error]).toBeUndefined());
  const { text } = await admin.send({ url: '/api/academic/house/export?as=csv' });
  for (const name of names.slice(0, 4)) expect(text).toContain(`'${name}`);
  expect((await dry(houseMaster, text)).counts).toMatchObject({ same: names.length, wrong: 0 });
});

test('a row is switched off and on by its cell, and an empty cell leaves it as it is', async () => {
  const { id } = await create(admin, houseMaster);
  const [{ name } = {}] = await school.sql(`select name from academic_house where id = ${id}`);
  const isActive = async () =>
    (await school.sql(`select is_active from academic_house where id = ${id}`))[0]?.is_active;
  const file = (cell: string, colour = 'Pink') => `Name,Colour,Active\n${name},${colour},${cell}\n`;
  await confirm(houseMaster, file('No'));
  expect(await isActive()).toBe(false);
  await confirm(houseMaster, file('', 'Grey'));
  expect(await isActive()).toBe(false);
  await confirm(houseMaster, file('yes'));
  expect(await isActive()).toBe(true);
  await confirm(houseMaster, 'Name,Colour,Active\nNewly made,Teal,\n');
  expect((await school.sql(`select is_active from academic_house where name = 'Newly made'`))[0]?.is_active).toBe(true);
});

test('what only another operation sets is refused where a file says something else of it', async () => {
  const [current] = await school.sql(`select name from academic_year where id = academic_year_on()`);
  const { id } = await create(admin, yearMaster);
  const [{ name } = {}] = await school.sql(`select name from academic_year where id = ${id}`);
  const head = 'Name,First day,Last day,Age cut-off date,Year status';
  const row = (year: unknown, status: string) => `${year},2071-06-01,2072-05-31,2071-06-01,${status}`;
  const statusMessage = { phase: 'An import can’t change this. Leave it empty.' };
  expect(await wrongRows(yearMaster, [head, row(name, 'Current')].join('\n'))).toEqual([[2, statusMessage]]);
  expect(await wrongRows(yearMaster, [head, row(current?.name, 'Closed')].join('\n'))).toEqual([[2, statusMessage]]);
  expect(await wrongRows(yearMaster, [head, row('2071-72', 'Closed')].join('\n'))).toEqual([[2, statusMessage]]);
  for (const status of ['', 'planned'])
    expect(await wrongRows(yearMaster, [head, row('2071-72', status)].join('\n'))).toEqual([]);
  const { text } = await admin.send({ url: '/api/academic/year/export?as=csv' });
  expect((await dry(yearMaster, text)).counts).toMatchObject({ added: 0, changed: 0, wrong: 0 });
});

test('a file does not choose what is switched off, but keeps what was chosen before', async () => {
  const { id } = await create(admin, boardMaster);
  const [{ name: board } = {}] = await school.sql(`select name from academic_board where id = ${id}`);
  const file = (name: string, short = '') => `Board,Name,Short name\n${board},${name},${short}\n`;
  await confirm(programMaster, file('Chosen before'));
  await school.sql(`update academic_board set is_active = false where id = ${id}`);
  expect(await wrongRows(programMaster, file('Chosen now'))).toEqual([
    [2, { boardId: 'This entry is inactive. Choose another one.' }],
  ]);
  expect((await confirm(programMaster, file('Chosen before', 'CB'))).counts).toMatchObject({ changed: 1, wrong: 0 });
});

test('an ordered master keeps the order of the file behind what is there', async () => {
  const file = 'Name,Code,Stage\nZeta,Z1,Middle\nEta,Z2,Middle\nTheta,Z3,Middle\n';
  await confirm(gradeMaster, file);
  const rows = await school.sql('select name from academic_grade order by position desc limit 3');
  expect(rows.map(({ name }) => name)).toEqual(['Theta', 'Eta', 'Zeta']);
});

test('an entry with other spaces, joiners, accents or letters of full width is the entry that is stored', async () => {
  await confirm(houseMaster, 'Name,Colour\nHouse of José,Teal\nમૌલિક ગૃહ,Teal\n');
  for (const typed of ['House\u00a0of  Jose\u0301', 'HOUSE OF JOSÉ\u200b', 'Ｈｏｕｓｅ of José', 'મૌ\u200cલિક ગૃહ'])
    expect([typed, (await dry(houseMaster, `Name,Colour\n${typed},Teal\n`)).counts.added]).toEqual([typed, 0]);
  const twice = await wrongRows(houseMaster, 'Name,Colour\nNew House,Teal\nNew\u2009House,Teal\n');
  expect(twice).toEqual([[3, { name: 'Line 2 of the file has the same entry.' }]]);
});

test('an entry is found in its list with other quotes, dashes and digits', async () => {
  await confirm(houseMaster, 'Name,Colour\nSt. Mary’s – ૨,Teal\n');
  const listed = async (search: string) =>
    (await admin.call(houseMaster.api.list, { search })).rows.map(({ name }) => String(name));
  for (const search of ["mary's - 2", 'Mary\u2019s \u2013 ૨', 's \u2011 २'])
    expect(await listed(search)).toEqual(['St. Mary’s – ૨']);
  for (const search of ['StX Mary', 'S.*', '(', '\\']) expect(await listed(search)).toEqual([]);
});

test('two imports of the same file at once add each row once', async () => {
  const file = 'Board,Name\nCBSE,Evening\nCBSE,Weekend\n';
  const confirmToken = await tokenOf(programMaster, file);
  const give = () => send(programMaster, { file, confirmToken });
  const answers = await Promise.all([give(), give(), give()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(await school.sql(`select 1 from academic_program where name in ('Evening', 'Weekend')`)).toHaveLength(2);
});

test('a preview of an import does not wait for a lock on the table, and an import does', async () => {
  const file = 'Name,Colour\nUnlocked,Teal\n';
  const confirmToken = await tokenOf(houseMaster, file);
  let applied: ReturnType<typeof send> | undefined;
  await school.services.db.transaction().execute(async (db) => {
    await sql`lock table academic_house in row exclusive mode`.execute(db);
    expect((await dry(houseMaster, file)).counts.added).toBe(1);
    applied = send(houseMaster, { file, confirmToken });
    const waiting = () =>
      school.sql(`select 1 from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like 'lock table%academic_house%'`);
    await expect.poll(waiting).toHaveLength(1);
  });
  expect((await applied)?.status).toBe(200);
});

test('H3 leaves nothing behind whichever of its statements fails', async () => {
  const file = 'Name,Colour\nFails,Teal\nFailed,Blue\n';
  const confirmToken = await tokenOf(houseMaster, file);
  const before = await contents();
  for (let n = 1; ; n++) {
    const { status } = await failingAt(n, () => send(houseMaster, { file, confirmToken }));
    if (status === 200) break;
    expect([n, status, await contents()]).toEqual([n, 500, before]);
  }
});

test('a line that is cut in the middle of a file leaves nothing behind', async () => {
  const own = await openOwnSchool();
  const person = await own.person({ role: 'Admin' });
  await own.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = own.app.server.address() as AddressInfo;
  const before = { ...(await contentsOf(own)), sign_in_session: '' };
  const body = JSON.stringify({ file: 'Name,Colour\nCut,Teal\n', confirmToken: 'x' });
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const socket = connect(port, '127.0.0.1');
  const head = `POST /api/academic/house/import HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\nsec-fetch-site: same-origin\r\n`;
  socket.write(`${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 30)}`);
  const open = () => new Promise((done) => own.app.server.getConnections((_, count) => done(count)));
  await expect.poll(open).toBe(1);
  socket.destroy();
  await expect.poll(open).toBe(0);
  expect({ ...(await contentsOf(own)), sign_in_session: '' }).toEqual(before);
  await own.close();
});

test('what somebody changed after the preview is not overwritten unseen', async () => {
  const row = await create(admin, houseMaster);
  const { name } = (await school.sql(`select name from academic_house where id = ${row.id}`))[0] ?? {};
  const file = `Name,Colour\n${name},Pink\n`;
  const { confirmToken, counts } = await dry(houseMaster, file);
  expect(counts.changed).toBe(1);
  await school.sql(`update academic_house set colour = 'Grey', version = version + 1 where id = ${row.id}`);
  const { status, json } = await send(houseMaster, { file, confirmToken });
  expect([status, json.error.code]).toEqual([409, 'stale']);
  expect((await school.sql(`select colour from academic_house where id = ${row.id}`))[0]).toEqual({ colour: 'Grey' });
});

test('the border between two terms is moved in one file', async () => {
  const { id, startsOn } = await create(admin, yearMaster);
  const [{ name } = {}] = await school.sql(`select name from academic_year where id = ${id}`);
  const start = Number(String(startsOn).slice(0, 4));
  const file = (border: number) => `Academic year,Name,First day,Last day
${name},First,${start}-06-01,${start}-10-${border}
${name},Second,${start}-10-${border + 1},${start + 1}-05-31
`;
  expect((await confirm(termMaster, file(15))).isApplied).toBe(true);
  expect((await confirm(termMaster, file(25))).isApplied).toBe(true);
  expect((await confirm(termMaster, file(10))).isApplied).toBe(true);
});

test('of a file of which every row is refused the first fifty are told why', async () => {
  const { id } = await create(admin, yearMaster);
  const [{ name } = {}] = await school.sql(`select name from academic_year where id = ${id}`);
  const rows = Array.from({ length: 4000 }, (_, n) => `${name},Term ${n},1990-01-01,1990-01-02`);
  const { counts, rows: lines } = await dry(termMaster, `Academic year,Name,First day,Last day\n${rows.join('\n')}`);
  expect(counts.wrong).toBe(4000);
  expect(inEnglish(lines.at(-1)?.messages ?? {})).toEqual({
    '': 'More than 50 rows have errors. Correct those first.',
  });
});

test('what spreadsheets leave behind the last column is no column', async () => {
  expect((await dry(houseMaster, 'Name,Colour,,\nTrailing,Teal,,\n')).counts).toMatchObject({ added: 1, wrong: 0 });
});

test('an export stands in the order of the list, so that a new school’s grades come in theirs', async () => {
  const { text } = await admin.send({ url: '/api/academic/grade/export?as=csv' });
  const names = text
    .split('\r\n')
    .slice(1, 5)
    .map((line) => line.split(',')[0]);
  expect(names).toEqual(['"Nursery"', '"LKG"', '"UKG"', '"Grade 1"']);
});
