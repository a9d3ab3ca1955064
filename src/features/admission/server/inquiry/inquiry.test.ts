import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { searchApi } from '#features/search/contract.ts';
import { english } from '#kit/contract/text.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { openAdmission } from '#testing/open-admission.ts';
import { openSchool, type School } from '#testing/school.ts';
import { inquiryApi } from '../../contract/inquiry.ts';
import { inquiryList } from '../../contract/list.ts';
import { reviewApi } from '../../contract/review.ts';
import { reviewList } from '../../contract/review-list.ts';

let school: School;
let office: Person;
let head: Person;
let place: { academicYearId: number; branchId: number; programId: number; gradeId: number; leadSourceId: number };
let reasonId: number;
const today = toLocalDate(new Date());

beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', role: 'Staff', sets: ['office'] });
  head = await school.person({ name: 'Hasmukh', role: 'Staff', sets: ['office', 'admissionHead'] });
  const idOf = async (query: string) => Number((await school.sql(query))[0]?.id);
  place = {
    academicYearId: await idOf('select id from academic_year where id = academic_year_on()'),
    branchId: 1,
    programId: await idOf('select id from academic_program where board_id is not null order by id'),
    gradeId: await idOf("select id from academic_grade where name = 'Grade 1'"),
    leadSourceId: await idOf("select id from academic_lookup where kind = 'Lead source' and name = 'Walk-in'"),
  };
  reasonId = await idOf("select id from academic_lookup where kind = 'Reason lost' and name = 'Fees'");
  await school.sql(`update academic_grade set min_age_months = 72, max_age_months = 96 where name = 'Grade 1'`);
  await openAdmission(school, 'academic_year.id = academic_year_on()');
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

let made = 0;
/** A child of six years and a half on the cut-off date. */
async function birthDate() {
  const [row] = await school.sql(
    'select (age_cutoff_on - 2372)::text as day from academic_year where id = academic_year_on()',
  );
  return String(row?.day);
}
async function asked(over: object = {}) {
  made++;
  return {
    firstName: 'Aarohi',
    lastName: `Mehta ${made}`,
    gender: 'Female',
    birthDate: await birthDate(),
    ...place,
    fatherMobile: String(7_100_000_000 + made),
    motherMobile: '',
    fatherEmail: '',
    motherEmail: '',
    fatherFirstName: 'Nilesh',
    fatherLastName: 'Mehta',
    motherFirstName: '',
    motherLastName: '',
    quota: 'General',
    assignedToId: '',
    nextFollowUpOn: '',
    remark: '',
    ageReason: '',
    isAnotherChild: false,
    sendsForm: false,
    ...over,
  };
}
const add = async (over: object = {}, who = office) =>
  (await who.call(inquiryApi.create, (await asked(over)) as never)).id;
const read = (id: number) => office.call(inquiryApi.read, { id });
const send = (id: number, over: object = {}) =>
  office.call(inquiryApi.sendForm, { id, channel: 'SMS', to: 'Father', ...over } as never);
const linkOf = async (id: number) => (await office.call(inquiryApi.copyLink, { id })).link;
const open = (link: string) =>
  school.send({ url: `/api/admission/inquiry?inquiryNo=${new URL(link).searchParams.get('inquiryNo')}` });
const listed = async (query: object) => {
  const { rows } = await office.call(inquiryList.api.list, query as never);
  return rows.map(({ id }) => id);
};

test('a list and its CSV file say an age in words, which a spreadsheet does not change', async () => {
  const [row] = await school.sql(`select (age_cutoff_on - interval '6 years 10 months')::date::text as born
    from academic_year where id = academic_year_on()`);
  const id = await add({ birthDate: String(row?.born), firstName: 'Agewise' });
  const { rows } = await office.call(inquiryList.api.list, { search: 'Agewise' } as never);
  expect(rows).toMatchObject([{ id, age: '6 y 10 m' }]);
  const { text } = await office.send({ url: '/api/inquiry/export?as=csv&columns=age&search=Agewise' });
  expect(text).toContain('6 y 10 m');
});

test('the office names the language of messages, the log has it, and the family reads its page and messages in it until it chooses', async () => {
  const language = async (id: number) =>
    (await school.sql(`select language, language_by as by from admission_inquiry where id = ${id}`))[0];
  expect(await language(await add())).toEqual({ language: '', by: '' });
  const id = await add({ messageLanguage: 'Gujarati' });
  expect(await language(id)).toEqual({ language: 'gu', by: 'Office' });
  const link = await linkOf(id);
  expect((await open(link)).json[0].language).toBe('gu');
  const [made] = await school.sql(`select details from audit
    where action = 'admission.inquiry.created' and entity_id = ${id}`);
  expect(made?.details).toMatchObject({ 'Language of messages': 'Gujarati' });
  const url = `/api/admission/language${new URL(link).search}`;
  expect((await school.send({ method: 'PUT', url, body: { language: 'hi' } })).status).toBe(200);
  expect(await language(id)).toEqual({ language: 'hi', by: 'Page' });
  await expect(add({ messageLanguage: 'gu' })).rejects.toMatchObject({ fields: { messageLanguage: {} } });
  await school.sql(`insert into setting (key, value) values ('language.offer-hi', 'false')
    on conflict (key) do update set value = excluded.value`);
  await expect(add({ messageLanguage: 'Hindi' })).rejects.toMatchObject({ fields: { messageLanguage: {} } });
  await school.sql(`delete from setting where key = 'language.offer-hi'`);
});

test('an inquiry that someone else has changed is not overwritten: the refusal has what is saved', async () => {
  const id = await add();
  const { version, values } = await read(id);
  const update = (over: object) => office.call(inquiryApi.update, { id, version, ...values, ...over } as never);
  await head.call(inquiryApi.update, { id, version, ...values, remark: 'Called on Monday' } as never);
  await expect(update({ remark: 'Wants a visit' })).rejects.toMatchObject({
    code: 'stale',
    data: { version: version + 1, saved: { ...values, remark: 'Called on Monday' }, names: { gradeId: 'Grade 1' } },
  });
  expect((await read(id)).values.remark).toBe('Called on Monday');
});

test('a record says what its reader may do: by their sets, and in its state', async () => {
  const id = await add();
  const principal = await school.person({ sets: ['principal'] });
  const mayOf = async (who: typeof office) => {
    const { may } = await who.call(inquiryApi.read, { id });
    return Object.entries(may).flatMap(([act, is]) => (is ? [act] : []));
  };
  const open = ['keep', 'reply', 'update', 'remove', 'logFollowUp', 'sendForm', 'extendLink', 'linkSibling', 'lose'];
  expect([await mayOf(office), await mayOf(head), await mayOf(principal)]).toEqual([open, open, []]);
  const { version } = await read(id);
  await office.call(inquiryApi.lose, { id, version, reasonId, note: 'Moved away' });
  expect([await mayOf(office), await mayOf(head)]).toEqual([
    ['keep', 'reply'],
    ['keep', 'reply', 'reopen'],
  ]);
});

test('A1.1 the same child in one year is saved again only as another child', async () => {
  const twice = await asked();
  const { id } = await office.call(inquiryApi.create, twice as never);
  const { inquiryNo } = await read(id);
  const found = await office.call(inquiryApi.check, {
    ...twice,
    gradeId: String(place.gradeId),
    academicYearId: String(place.academicYearId),
  } as never);
  expect(found.similar).toMatchObject([{ id, isSameChild: true }]);
  expect(found.parents).toMatchObject({ fatherFirstName: 'Nilesh' });
  await expect(office.call(inquiryApi.create, twice as never)).rejects.toMatchObject({
    fields: { isAnotherChild: expect.objectContaining({ values: expect.objectContaining({ inquiryNo }) }) },
  });
  await office.call(inquiryApi.create, { ...twice, isAnotherChild: true } as never);
});

test('Y11 the check names no colleague, is limited to 60 a minute and audited when it finds a family', async () => {
  const teacher = await school.person({ name: 'Falguni Vyas' });
  const id = await add();
  const { values, inquiryNo } = await read(id);
  const ask = (fatherMobile: string) => office.send({ url: `/api/inquiry/check?fatherMobile=${fatherMobile}` });
  const found = await ask(teacher.mobile);
  expect(found.json).toMatchObject({ similar: [], worksHere: true });
  expect(found.text).not.toMatch(/Falguni|"staff"/);
  expect((await ask(values.fatherMobile)).json).toMatchObject({ similar: [{ inquiryNo }], worksHere: false });
  expect((await ask('9999999999')).json).toMatchObject({ similar: [], worksHere: false });
  const acts = await school.sql(`select account_id, details from audit where action = 'admission.inquiry.checked'
    order by id desc limit 2`);
  expect(acts).toEqual([
    { account_id: office.id, details: { Inquiries: inquiryNo } },
    { account_id: office.id, details: { Inquiries: '–' } },
  ]);
  const statuses = [];
  for (let asked = 0; asked < 60; asked++) statuses.push((await ask(`99999999${asked + 10}`)).status);
  expect(statuses.indexOf(429)).toBe(57);
  expect((await head.send({ url: '/api/inquiry/check' })).status).toBe(200);
});

test.each([
  ['José D’Souza', 'Jose\u0301 D’Souza', "José D'Souza", 'JOSÉ D’SOUZA'],
  ['Maulik Kumar Patel', 'Maulik  Kumar Patel', 'Maulik\u00a0Kumar Patel', 'Maulik Kumar Patel\u200f'],
  ['મૌલિક પટેલ', 'મૌ\u200cલિક પટેલ'],
  ['\u0958मर शेख', 'क\u093cमर शेख'],
])('A1.1 %s is one child, however the name is typed', async (first, ...others) => {
  const id = await add({ firstName: first, lastName: 'Rana' });
  // Stored before texts were normalised.
  await school.sql(`update admission_inquiry set first_name = '${first.replaceAll(' ', '  ')}' where id = ${id}`);
  for (const firstName of others) {
    const child = await asked({ firstName, lastName: 'Rana' });
    const { gradeId, academicYearId } = place;
    const check = { ...child, gradeId: String(gradeId), academicYearId: String(academicYearId) };
    expect((await office.call(inquiryApi.check, check as never)).similar).toMatchObject([{ id, isSameChild: true }]);
    await expect(add({ firstName, lastName: 'Rana' })).rejects.toMatchObject({
      fields: { isAnotherChild: expect.anything() },
    });
  }
  // Another first name.
  await add({ firstName: `Om${first}`, lastName: 'Rana' });
});

test.each([
  '5550711170',
  '55507 11170',
  '55507-11170',
  '+91 55507 11170',
  '+915550711170',
  '915550711170',
  '05550711170',
  '(55507) 11170',
  '\u202a+91 55507 11170\u202c',
  '૫૫૫૦૭ ૧૧૧૭૦',
])('B28 the mobile number %j is found in the lists and by the header', async (search) => {
  const [stored] = await school.sql(`select id from admission_inquiry where father_mobile = '5550711170'`);
  const id = Number(stored?.id ?? (await add({ fatherMobile: '5550711170' })));
  expect(await listed({ search })).toEqual([id]);
  const found = await office.call(searchApi.find, { search });
  expect(found.flatMap(({ hits }) => hits).map((hit) => hit.id)).toEqual([id]);
  await school.sql(`update admission_inquiry set received_at = now() where id = ${id}`);
  const { rows } = await office.call(reviewList.api.list, { search, tab: 'all' } as never);
  expect(rows.map((row) => row.id)).toEqual([id]);
});

test('A1.2 the sent form opens with the name, birth date and grade that the office entered', async () => {
  const id = await add({ firstName: 'Tara' });
  expect((await read(id)).state).toBe('New');
  await send(id);
  expect(await read(id)).toMatchObject({ state: 'Form sent', sent: [{ channel: 'SMS' }] });
  const answer = await open(await linkOf(id));
  expect(answer.json).toMatchObject([{ firstName: 'Tara', birthDate: await birthDate(), grade: 'Grade 1' }]);
});

test('Q1.22 an inquiry for a child with one name is saved once the office says so, and the form asks the family for the last name', async () => {
  await expect(add({ lastName: '' })).rejects.toMatchObject({ fields: { lastName: expect.anything() } });
  await expect(add({ lastName: 'NA', hasOneName: true })).rejects.toMatchObject({
    fields: { lastName: expect.anything() },
  });
  const id = await add({ firstName: 'Kaveri', lastName: '', hasOneName: true });
  expect((await read(id)).values).toMatchObject({ firstName: 'Kaveri', lastName: '' });
  await send(id);
  const { json } = await open(await linkOf(id));
  expect(json.data?.[0] ?? json[0]).toMatchObject({ firstName: 'Kaveri', lastName: null });
});

test('A1.3 sending again keeps the link, and a revoked one is answered as an unknown one is', async () => {
  const id = await add();
  const link = await linkOf(id);
  await send(id);
  expect(await linkOf(id)).toBe(link);
  expect((await open(link)).status).toBe(200);
  await office.call(inquiryApi.revokeLink, { id });
  const [revoked, unknown] = [await open(link), await open(link.replace(/[0-9a-f]{32}/, 'f'.repeat(32)))];
  expect([revoked.status, revoked.json]).toEqual([unknown.status, unknown.json]);
  await send(id);
  expect(await linkOf(id)).not.toBe(link);
});

test('A1.4 an age that the grade does not take needs a reason of the admission head', async () => {
  const young = { birthDate: addDays(today, -1200), gradeId: place.gradeId };
  await expect(add(young)).rejects.toMatchObject({ fields: { ageReason: expect.anything() } });
  await expect(add({ ...young, ageReason: 'Reads already' })).rejects.toMatchObject({
    fields: { ageReason: expect.objectContaining({ id: 'Only the admission head can accept this age.' }) },
  });
  const id = await add({ ...young, ageReason: 'Reads already' }, head);
  expect((await read(id)).values.ageReason).toBe('Reads already');
});

test('P1.1 the dashboard counts the inquiries of the user, of all; and all of them for a user who has none', async () => {
  await add();
  await add({ assignedToId: String(office.staffId) });
  const figureOf = async (person: Person) =>
    (await person.call(dashboardApi.read, {})).cards
      .flatMap(({ title, figures }) => (title.id === 'Inquiries' ? figures : []))
      .find(({ label }) => english(label) === 'Open');
  const [mine, whole] = [await figureOf(office), await figureOf(head)];
  expect(mine?.value).toBeGreaterThan(0);
  expect(mine?.ofAll?.value).toBe(whole?.value);
  expect(mine?.value).toBeLessThan(whole?.value ?? 0);
  expect(whole?.ofAll).toBeUndefined();
});

test('A1.5 the tab of overdue follow-ups has what the dashboard counts', async () => {
  const late = await add({ nextFollowUpOn: addDays(today, -1) });
  const due = await add({ nextFollowUpOn: today });
  const gone = await add({ nextFollowUpOn: addDays(today, -3) });
  await office.call(inquiryApi.lose, { id: gone, version: 1, reasonId, note: 'Moved to Pune' });
  expect(await listed({ tab: 'overdue' })).toEqual([late]);
  expect(await listed({ followUp: 'Today' })).toEqual([due]);
  const { json } = await office.send({ url: '/api/dashboard' });
  expect(JSON.stringify(json)).toContain('Overdue follow-ups');
  await office.call(inquiryApi.logFollowUp, {
    id: late,
    channel: 'Call',
    note: 'Will visit on Friday',
    nextOn: addDays(today, 2),
  } as never);
  expect(await listed({ tab: 'overdue' })).toEqual([]);
  expect(await read(late)).toMatchObject({
    followUps: [{ channel: 'Call', note: 'Will visit on Friday', by: 'Meena' }],
  });
});

test('P1.7 a call without an answer moves to the next working day in one press, once of two presses at the same time', async () => {
  const late = await add({ nextFollowUpOn: addDays(today, -1) });
  const rows = async () => (await office.call(dashboardApi.todo, {})).rows.filter(({ kind }) => kind === 'call-late');
  const row = (await rows()).find(({ id }) => id === late);
  expect(row).toMatchObject({ when: 'late', seen: addDays(today, -1), to: `admission/inquiry/${late}` });
  const press = () =>
    office.send({ method: 'POST', url: `/api/inquiry/${late}/no-answer`, body: { seenOn: row?.seen } });
  const [one, other] = await Promise.all([press(), press()]);
  expect([one.status, other.status].sort()).toEqual([200, 409]);
  const found = await read(late);
  expect(found.followUps).toMatchObject([{ channel: 'Call', note: 'No answer', by: 'Meena' }]);
  expect(found.values.nextFollowUpOn > today).toBe(true);
  expect((await rows()).map(({ id }) => id)).not.toContain(late);
});

test('P1.10 a call ends as reached, with a visit or as lost, and a stale outcome says who called in between', async () => {
  const due = addDays(today, -1);
  const [reached, visit, lost] = [
    await add({ nextFollowUpOn: due }),
    await add({ nextFollowUpOn: due }),
    await add({ nextFollowUpOn: due }),
  ];
  await office.call(inquiryApi.reached, { id: reached, seenOn: due, note: 'Wants the bus', nextOn: addDays(today, 3) });
  await office.call(inquiryApi.visit, { id: visit, seenOn: due, visitOn: addDays(today, 2), note: '' });
  await office.call(inquiryApi.lostInCall, { id: lost, seenOn: due, reasonId, note: 'Too far' });
  expect(await read(reached)).toMatchObject({
    followUps: [{ outcome: 'Reached', note: 'Wants the bus', nextOn: addDays(today, 3) }],
  });
  expect(await read(visit)).toMatchObject({
    followUps: [{ outcome: 'Visit', note: expect.stringMatching(/^Visit on /) }],
    values: { nextFollowUpOn: addDays(today, 2) },
  });
  expect(await read(lost)).toMatchObject({ state: 'Lost', followUps: [{ outcome: 'Lost' }] });
  await expect(
    head.call(inquiryApi.reached, { id: reached, seenOn: due, note: 'Again', nextOn: '' }),
  ).rejects.toMatchObject({ code: 'conflict', message: expect.stringMatching(/^Meena logged a call/) });
  await expect(
    office.call(inquiryApi.visit, { id: reached, seenOn: addDays(today, 3), visitOn: due, note: '' }),
  ).rejects.toMatchObject({ fields: { visitOn: expect.anything() } });
});

test('the tab of overdue follow-ups begins with the longest overdue, unless another order is asked for', async () => {
  const [day, week, month] = [
    await add({ nextFollowUpOn: addDays(today, -1) }),
    await add({ nextFollowUpOn: addDays(today, -7) }),
    await add({ nextFollowUpOn: addDays(today, -30) }),
  ];
  expect(await listed({ tab: 'overdue' })).toEqual([month, week, day]);
  const newest = [day, week, month].toSorted((one, other) => Number(other) - Number(one));
  expect(await listed({ tab: 'overdue', sort: '-createdOn' })).toEqual(newest);
  for (const id of [day, week, month])
    await office.call(inquiryApi.lose, { id, version: 1, reasonId, note: 'Another school' });
});

test('why a family is lost is a choice of the school’s list with a note, by which the list is filtered', async () => {
  const idOf = async (kind: string, name: string) =>
    Number((await school.sql(`select id from academic_lookup where kind = '${kind}' and name = '${name}'`))[0]?.id);
  const other = await idOf('Reason lost', 'Other');
  const id = await add();
  const lose = (over: object) => office.call(inquiryApi.lose, { id, version: 1, note: '', ...over } as never);
  const wrong = await idOf('Reason withdrawn', 'Fees');
  await expect(lose({ reasonId: wrong })).rejects.toMatchObject({ fields: { reasonId: expect.anything() } });
  await expect(lose({ reasonId: other })).rejects.toMatchObject({ fields: { note: expect.anything() } });
  await lose({ reasonId, note: 'The bus costs too much.' });
  expect((await read(id)).endedReason).toBe('Fees: The bus costs too much.');
  expect(await listed({ tab: 'all', endedReasonId: String(reasonId) })).toContain(id);
  expect(await listed({ tab: 'all', endedReasonId: String(other) })).toEqual([]);
  await head.call(inquiryApi.reopen, { id, version: 2, reason: 'Called back' });
  expect(await listed({ tab: 'all', endedReasonId: String(reasonId) })).not.toContain(id);
});

test('the message that would be sent is read without its link, and reading sends nothing', async () => {
  const id = await add({ fatherEmail: 'nilesh@family.example' });
  const sms = await office.call(inquiryApi.message, { id, channel: 'SMS' });
  expect(sms.words).toMatch(/^Dear parent, fill in the admission form for Aarohi at .+: … Help/);
  const email = await office.call(inquiryApi.message, { id, channel: 'Email' });
  expect(email.subject).toBe('Admission form for Aarohi');
  expect(email.words).not.toContain('http');
  expect(await school.sql(`select id from outbox where subject_id = ${id}`)).toEqual([]);
  await office.call(inquiryApi.revokeLink, { id });
  expect(await office.call(inquiryApi.message, { id, channel: 'SMS' })).toEqual({ subject: '', words: '' });
});

test('A1.6 B52 an export has the filtered rows only, and a name that begins with "=" as text', async () => {
  await add({ firstName: '=cmd', lastName: 'Exported' });
  await add({ firstName: 'Not', lastName: 'Wanted' });
  const { text } = await office.send({
    url: '/api/inquiry/export?as=csv&search=Exported&tab=all&columns=child',
  });
  const lines = text.trim().split(/\r?\n/);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/^"?'=cmd Exported/);
});

test('B39 a changed mobile number ends the link that was sent to the old one', async () => {
  const id = await add();
  await send(id);
  const link = await linkOf(id);
  const { version, values } = await read(id);
  await office.call(inquiryApi.update, { id, version, ...values, fatherMobile: '7199999999' } as never);
  expect((await open(link)).status).not.toBe(200);
  expect((await read(id)).link.isRevoked).toBe(true);
});

test('an act that the state does not allow is refused with the possible ones', async () => {
  const id = await add();
  await office.call(inquiryApi.lose, { id, version: 1, reasonId, note: 'Another school' });
  await expect(send(id)).rejects.toMatchObject({
    code: 'conflict',
    data: { possible: expect.arrayContaining(['reopen']) },
  });
  const { version } = await read(id);
  await head.call(inquiryApi.reopen, { id, version, reason: 'Called again' });
  expect((await read(id)).state).toBe('New');
});

test('a family that saves a page moves its inquiry to In progress', async () => {
  const family = await school.inquiry();
  expect((await read(family.id)).state).toBe('Form sent');
  await family.saveBasicInfo();
  expect(await read(family.id)).toMatchObject({ state: 'In progress', progress: 1 });
});

test('the years to choose from are open for admission, and the one that is chosen', async () => {
  await school.sql(`insert into academic_year (name, starts_on, ends_on, age_cutoff_on, status)
    select name, starts_on::date, ends_on::date, starts_on::date, 'Open'
    from (values ('2041-42', '2041-06-01', '2042-05-31'), ('2042-43', '2042-06-01', '2043-05-31'))
      as year (name, starts_on, ends_on)`);
  await openAdmission(school, "academic_year.name = '2041-42'");
  const [closed] = await school.sql(`select id from academic_year where name = '2042-43'`);
  const offered = async (over = {}) =>
    (await office.call(inquiryApi.openYears, { state: 'active', ...over } as never)).map(({ name }) => name);
  const open = await offered();
  expect([open[0], open.includes('2042-43')]).toEqual(['2041-42', false]);
  expect(await offered({ chosenId: closed?.id })).toEqual(['2042-43', ...open]);
  expect(await offered({ search: '41-' })).toEqual(['2041-42']);
});

test('selected inquiries are assigned, and those no longer open are told', async () => {
  const [first, second, lost] = [await add(), await add(), await add()];
  await office.call(inquiryApi.lose, { id: lost, version: 1, reasonId, note: 'No seat' });
  const [staff] = await school.sql("select id from staff where name = 'Meena'");
  const act = { selection: { ids: [first, second, lost], isAll: false, query: {} }, assignedToId: Number(staff?.id) };
  const preview = await head.call(inquiryApi.assign, act as never);
  expect(preview).toMatchObject({ changed: 2, skipped: [{ id: lost }] });
  expect((await read(first)).assignedTo).toBe('');
  await head.call(inquiryApi.assign, { ...act, confirmToken: preview.confirmToken } as never);
  expect((await read(first)).assignedTo).toBe('Meena');
});

test('what a family writes before it submits its form stands on the inquiry until the office has read or answered it', async () => {
  const family = await school.inquiry({ fatherEmail: 'nilesh@family.example' });
  const { id } = family;
  const words = { about: 'Mother', messageText: 'Mother’s number is 9825098250.' };
  expect((await family.post('message-to-school', words)).status).toBe(200);
  const [message] = (await read(id)).messages;
  expect(message).toMatchObject({ about: 'Mother', words: 'Mother’s number is 9825098250.', isRead: false, reply: '' });
  await office.call(reviewApi.reply, { id, message: message?.id ?? 0, words: 'Corrected, thank you.' });
  expect((await read(id)).messages).toMatchObject([
    { isRead: true, reply: 'Corrected, thank you.', repliedBy: 'Meena' },
  ]);
});
