import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { everyRow } from '#testing/stored.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { noteApi, noteList } from '../contract/note.ts';
import { rubricApi } from '../contract/rubric.ts';
import { weekday } from '../seed.ts';
import { sealOpen } from './sealed.ts';

let school: School;
let admin: Person;
let leader: Person;
let teacher: Person;
let stranger: Person;
let principal: Person;
let counsellor: Person;
let sectionId: number;
let students: number[];
const types: Record<string, number> = {};
const today = toLocalDate(new Date());

beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ role: 'Admin', name: 'Asha' });
  await admin.call(rubricApi.usual, {});
  for (const { id, name } of await school.sql(`select id, name from observation_type`))
    types[String(name)] = Number(id);
  sectionId = await openSection(school);
  leader = await school.person({ name: 'Ravi' });
  await teach(school, leader, { sectionId });
  teacher = await school.person({ name: 'Tara' });
  await teach(school, teacher, { sectionId, role: 'Subject teacher' });
  stranger = await school.person({ name: 'Soham' });
  await teach(school, stranger);
  principal = await school.person({ name: 'Mina', sets: ['principal'] });
  counsellor = await school.person({ name: 'Kavi', sets: ['counsellor'] });
  students = [
    await seat(school, sectionId, 'Aarav'),
    await seat(school, sectionId, 'Bina'),
    await seat(school, sectionId, 'Chintan'),
  ];
});
afterAll(() => school.close());

const draftOf = (over: Record<string, unknown> = {}) => ({
  studentIds: students,
  typeId: types['Anecdotal note'],
  day: today,
  time: '00:01',
  polarity: 'Positive',
  place: '',
  subjectId: null,
  note: 'Shared the crayons with a new classmate.',
  reach: 'Class teachers',
  ratings: [],
  skills: [],
  actionId: null,
  ownerId: null,
  dueOn: '',
  draftId: null,
  ...over,
});
const publish = (who: Person, over: Record<string, unknown> = {}) =>
  who.send({ method: 'POST', url: '/api/observation-note', body: draftOf(over) });
/** The note on one student. */
async function write(who: Person, over: Record<string, unknown> = {}) {
  const { status, json, text } = await publish(who, { studentIds: [students[0]], ...over });
  expect([status, text]).toEqual([200, expect.anything()]);
  return Number(json.ids[0]);
}
const read = (who: Person, id: number) => who.send({ url: `/api/observation-note/${id}` });
const act = (who: Person, id: number, what: string, body: object) =>
  who.send({ method: 'POST', url: `/api/observation-note/${id}/${what}`, body });
const seenBy = async (who: Person, id: number) => (await read(who, id)).status === 200;
const listed = async (who: Person, query: object = {}) =>
  (await who.call(noteList.api.list, { tab: 'all', ...query })).rows.map((row) => row.id);
const everyone = () => ({ leader, teacher, stranger, principal, counsellor });
const readersOf = async (id: number) => {
  const found: string[] = [];
  for (const [name, who] of Object.entries(everyone())) if (await seenBy(who, id)) found.push(name);
  return found;
};

test('H1.3 one form for three students makes three notes of one group, all or none', async () => {
  const { json } = await publish(leader);
  expect(json.ids).toHaveLength(3);
  const rows = await school.sql(`select distinct group_id from observation_note where id = any('{${json.ids}}')`);
  expect(rows).toHaveLength(1);
  const other = await seat(school, await openSection(school), 'Other');
  const [before] = await school.sql('select count(*) from observation_note');
  const refused = await publish(leader, { studentIds: [...students, other] });
  expect([refused.status, Object.keys(refused.json.error.fields)]).toEqual([422, ['studentIds']]);
  expect(await school.sql('select count(*) from observation_note')).toEqual([before]);
});

test('H1.1 a teacher finds and observes students of the own sections alone', async () => {
  const offered = await stranger.send({ url: '/api/observation-note/student-option' });
  expect(offered.json.map(({ id }: { id: number }) => id)).not.toContain(students[0]);
  expect((await publish(stranger)).status).toBe(422);
  expect((await publish(teacher)).status).toBe(200);
});

test('H1.7 the reach of a note and the section of today decide on its readers', async () => {
  expect(await readersOf(await write(teacher))).toEqual(['leader', 'teacher', 'principal', 'counsellor']);
  const ofLeads = await write(leader);
  expect(await readersOf(ofLeads)).toEqual(['leader', 'principal', 'counsellor']);
  const ofAll = await write(leader, { reach: 'All teachers' });
  expect(await readersOf(ofAll)).toEqual(['leader', 'teacher', 'principal', 'counsellor']);
  for (const [who, id, isSeen] of [
    [teacher, ofLeads, false],
    [teacher, ofAll, true],
    [stranger, ofAll, false],
    [principal, ofLeads, true],
  ] as const)
    expect([id, (await listed(who)).includes(id)]).toEqual([id, isSeen]);
  const nobody = await read(leader, 999_999);
  expect((await read(teacher, ofLeads)).text).toBe(nobody.text);
});

test('H1.2 a restricted note is for author, principal and counsellor, who read it with a reason', async () => {
  const text = 'Told me about trouble at home.';
  const id = await write(leader, { reach: 'Restricted', note: text });
  expect(await readersOf(id)).toEqual(['leader', 'principal', 'counsellor']);
  expect((await read(leader, id)).json.note).toBe(text);
  const shown = (await read(counsellor, id)).json;
  expect([shown.note, shown.may.reveal]).toEqual([null, true]);
  const revealed = await act(counsellor, id, 'reveal', { reason: 'A talk with the parents' });
  expect(revealed.json.note).toBe(text);
  expect(
    await school.sql(`select details ->> 'Reason' as reason from audit where action = 'observation.revealed'`),
  ).toEqual([{ reason: 'A talk with the parents' }]);
  for (const who of [leader, teacher])
    expect((await act(who, id, 'reveal', { reason: 'x' })).status).toBeGreaterThan(400);
  expect(JSON.stringify(await everyRow(school.sql))).not.toContain('trouble at home');
});

test('Z12 the place of a restricted note and the remarks of its follow-ups are sealed and revealed with its text', async () => {
  const id = await write(leader, { reach: 'Restricted', note: 'A long talk.', place: 'Behind the walnut tree' });
  const [action] = await school.sql('select id from observation_action order by id limit 1');
  const added = await act(leader, id, 'follow-up', {
    actionId: action?.id,
    ownerId: counsellor.staffId,
    dueOn: addDays(today, 3),
  });
  const change = async (who: Person, remark: string, version: number) => {
    const body = { version, state: 'In progress', ownerId: counsellor.staffId, dueOn: addDays(today, 3), remark };
    const url = `/api/observation-note/follow-up/${added.json.id}`;
    expect((await who.send({ method: 'PUT', url, body })).status).toBe(200);
  };
  await change(counsellor, 'The uncle drinks.', 1);
  // Who has not revealed the remark keeps it by entering none.
  await change(principal, '', 2);
  expect(JSON.stringify(await everyRow(school.sql))).not.toMatch(/walnut tree|uncle drinks/);

  const shownTo = async (who: Person) => {
    const { place, followUps } = (await read(who, id)).json;
    return [place, followUps[0].remark];
  };
  expect(await shownTo(leader)).toEqual(['Behind the walnut tree', 'The uncle drinks.']);
  for (const who of [principal, counsellor]) {
    expect(await shownTo(who)).toEqual([null, null]);
    const { json } = await act(who, id, 'reveal', { reason: 'A talk with the parents' });
    expect(json).toMatchObject({
      place: 'Behind the walnut tree',
      followUps: [{ id: added.json.id, remark: 'The uncle drinks.' }],
    });
  }

  const widen = { version: 1, reach: 'All teachers', reason: 'All of us should know' };
  expect((await act(principal, id, 'reach', widen)).status).toBe(200);
  expect(await shownTo(teacher)).toEqual(['Behind the walnut tree', 'The uncle drinks.']);
  expect((await act(leader, id, 'reach', { version: 2, reach: 'Restricted', reason: '' })).status).toBe(200);
  expect(await shownTo(leader)).toEqual(['Behind the walnut tree', 'The uncle drinks.']);
  expect(JSON.stringify(await everyRow(school.sql))).not.toMatch(/walnut tree|uncle drinks/);
});

test('Z12 places and remarks that lay open before are sealed once, also of a note that is withdrawn', async () => {
  const [withdrawn, other] = [
    await write(leader, { place: 'By the gate' }),
    await write(leader, { place: 'At the pond' }),
  ];
  await school.sql(`insert into observation_follow_up (note_id, action_id, owner_id, due_on, remark)
    select note, (select min(id) from observation_action), ${leader.staffId}, current_date, 'An old remark.'
    from unnest(array[${withdrawn}, ${other}]) as note`);
  for (const id of [withdrawn, other]) await act(leader, id, 'reach', { version: 1, reach: 'Restricted', reason: '' });
  // As it lay before the columns were sealed.
  await school.sql(`alter table observation_note disable trigger user; alter table observation_follow_up disable trigger user;
    update observation_note set place = 'By the pond', place_sealed = null where id in (${withdrawn}, ${other});
    update observation_follow_up set remark = 'An old remark.', remark_sealed = null where note_id in (${withdrawn}, ${other});
    alter table observation_note enable trigger user; alter table observation_follow_up enable trigger user`);
  expect((await act(leader, withdrawn, 'withdraw', { reason: 'A mistake' })).status).toBe(200);
  await sealOpen.correct(school.services);
  expect(JSON.stringify(await everyRow(school.sql))).not.toMatch(/By the pond|An old remark/);
  const { place, followUps } = (await read(leader, other)).json;
  expect([place, followUps[0].remark]).toEqual(['By the pond', 'An old remark.']);
});

test('H1.2 restricted notes are in no search and no export, even by their ids, and carry no ratings or skills', async () => {
  const id = await write(leader, { reach: 'Restricted', note: 'Unmistakable walnuts.' });
  const open = await write(leader, { note: 'Unmistakable almonds.' });
  for (const who of [leader, principal]) {
    expect(await listed(who, { search: 'Unmistakable' })).toEqual([open]);
    const file = await who.send({ url: `/api/observation-note/export?as=csv&ids=${id},${open}` });
    const words = file.text;
    expect([words.includes('almonds'), words.includes('walnuts'), words.match(/Restricted/)]).toEqual([
      true,
      false,
      null,
    ]);
  }
  const rated = await publish(leader, { typeId: types['Classroom behaviour'], reach: 'Restricted' });
  expect([rated.status, Object.keys(rated.json.error.fields)]).toEqual([422, ['reach']]);
});

test('H1.5 the text is changed until it locks, and gets addenda afterwards', async () => {
  const id = await write(leader);
  const {
    studentIds: _,
    typeId: __,
    actionId: ___,
    ownerId: ____,
    dueOn: _____,
    draftId: ______,
    ...content
  } = draftOf();
  const change = (version: number, note: string, who = leader) =>
    who.send({ method: 'PUT', url: `/api/observation-note/${id}`, body: { ...content, note, version } });
  expect((await change(1, 'Shared all of the crayons.')).status).toBe(200);
  expect((await change(2, 'Hm.', principal)).status).toBe(404);
  await school.sql(`alter table observation_note disable trigger keep_text;
    update observation_note set published_at = published_at - interval '1 day', locks_at = now() where id = ${id};
    alter table observation_note enable trigger keep_text`);
  expect((await change(2, 'Something else.')).status).toBe(409);
  expect((await act(leader, id, 'addendum', { text: 'And the pencils.' })).status).toBe(200);
  expect((await act(teacher, id, 'addendum', { text: 'No.' })).status).toBe(404);
  const { note, addenda } = (await read(leader, id)).json;
  expect([note, addenda.map((one: { text: string }) => one.text)]).toEqual([
    'Shared all of the crayons.',
    ['And the pencils.'],
  ]);
  await expect(
    school.sql(`update observation_note set note = 'Forged', changed_at = now(), version = 9 where id = ${id}`),
  ).rejects.toThrow('locked');
});

test('H1.8 the readers become fewer at any time, and more with the principal’s reason', async () => {
  const id = await write(leader, { reach: 'All teachers', note: 'Cried after the break.' });
  await act(leader, id, 'addendum', { text: 'A friend moved away.' });
  await school.sql(`alter table observation_note disable trigger keep_text;
    update observation_note set locks_at = published_at where id = ${id}; alter table observation_note enable trigger keep_text`);
  expect((await act(leader, id, 'reach', { version: 1, reach: 'Restricted', reason: '' })).status).toBe(200);
  expect(JSON.stringify(await everyRow(school.sql))).not.toContain('A friend moved away');
  expect(await seenBy(teacher, id)).toBe(false);
  expect((await act(leader, id, 'reach', { version: 2, reach: 'All teachers', reason: 'x' })).status).toBe(422);
  expect((await act(principal, id, 'reach', { version: 2, reach: 'All teachers', reason: '' })).status).toBe(422);
  expect(
    (await act(principal, id, 'reach', { version: 2, reach: 'All teachers', reason: 'Her teachers must know.' }))
      .status,
  ).toBe(200);
  const { note, addenda } = (await read(teacher, id)).json;
  expect([note, addenda[0].text]).toEqual(['Cried after the break.', 'A friend moved away.']);
});

test('H1.9 a withdrawn note leaves a stub to its readers, and its text to author and principal', async () => {
  const id = await write(leader, { reach: 'All teachers', actionId: 1, ownerId: leader.staffId, dueOn: today });
  expect((await act(teacher, id, 'withdraw', { reason: 'No' })).status).toBe(404);
  expect((await act(leader, id, 'withdraw', { reason: 'Wrong student' })).status).toBe(200);
  expect((await read(teacher, id)).json).toMatchObject({ note: null, withdrawn: { reason: '' }, addenda: [] });
  expect((await read(principal, id)).json.note).toContain('crayons');
  expect((await read(leader, id)).json.followUps).toMatchObject([{ state: 'Cancelled' }]);
  expect((await act(leader, id, 'addendum', { text: 'More' })).status).toBe(409);
});

test('H1.4 a follow-up belongs to a reader, and is on the dashboard of its owner once it is overdue', async () => {
  const refused = await publish(leader, {
    studentIds: [students[1]],
    actionId: 1,
    ownerId: teacher.staffId,
    dueOn: today,
  });
  expect([refused.status, Object.keys(refused.json.error.fields)]).toEqual([422, ['ownerId']]);
  const id = await write(leader, {
    reach: 'All teachers',
    actionId: 1,
    ownerId: teacher.staffId,
    dueOn: addDays(today, -1),
  });
  const { cards } = await teacher.call(dashboardApi.read, {});
  expect(cards.find(({ title }) => title.id === 'Observations')?.figures.map(({ value }) => value)).toEqual([1, 1]);
  expect(await listed(teacher, { tab: 'followUps', followUp: 'Overdue' })).toEqual([id]);
  const [own] = (await read(teacher, id)).json.followUps;
  const change = (who: Person, state: string, version: number) =>
    who.send({
      method: 'PUT',
      url: `/api/observation-note/follow-up/${own.id}`,
      body: { version, state, ownerId: own.ownerId, dueOn: today, remark: 'Talked.' },
    });
  expect((await change(stranger, 'Done', 1)).status).toBe(404);
  expect((await change(teacher, 'Done', 1)).status).toBe(200);
  expect((await change(teacher, 'Open', 2)).status).toBe(409);
  expect(await listed(teacher, { tab: 'followUps' })).toEqual([]);
});

test('H1.10 a note is of a day on which the student was here, and not of the future', async () => {
  const fieldsOf = async (over: object) =>
    Object.keys((await publish(leader, over as Record<string, unknown>)).json.error.fields);
  expect(await fieldsOf({ day: addDays(today, 1) })).toEqual(['time']);
  expect(await fieldsOf({ day: '2019-07-01' })).toEqual(['day']);
});

test('H1.11 a draft is its author’s alone, is sealed, and ends with the publication', async () => {
  const answers = { note: 'Half a sentence about hazelnuts', studentIds: students };
  const saved = await leader.send({
    method: 'POST',
    url: '/api/observation-note/draft',
    body: { draftId: null, answers },
  });
  const { id } = saved.json;
  expect((await leader.send({ url: `/api/observation-note/draft/${id}` })).json.answers).toEqual(answers);
  expect((await principal.send({ url: `/api/observation-note/draft/${id}` })).status).toBe(404);
  expect(JSON.stringify(await everyRow(school.sql))).not.toContain('hazelnuts');
  await write(leader, { draftId: id });
  expect(await leader.call(noteApi.drafts, {})).toEqual([]);
});

test('H2.5 a type hidden from teachers is missing in their form and refused', async () => {
  const offered = async (who: Person) => (await who.call(noteApi.offer, {})).types.map(({ name }) => name);
  expect(await offered(counsellor)).toContain('Counselling note');
  expect(await offered(leader)).not.toContain('Counselling note');
  expect(Object.keys((await publish(leader, { typeId: types['Counselling note'] })).json.error.fields)).toEqual([
    'typeId',
  ]);
});

test('H1.18 a note has a subject, by which the list finds it, and which stays once the note is locked', async () => {
  const [subject] = await school.sql(`insert into configuration_subject (name, code, short_name, kind)
    values ('Music', 'MUS', 'Mus', 'Activity') returning id`);
  const id = await write(leader, { subjectId: subject?.id });
  expect((await read(leader, id)).json.subject).toBe('Music');
  expect(await listed(leader, { subjectId: String(subject?.id) })).toEqual([id]);
  await expect(
    school.sql(`update observation_note set subject_id = null, changed_at = locks_at where id = ${id}`),
  ).rejects.toThrow('the note is locked');
});

test('H1.12 ratings are those of the rubric, and skills become evidence of the day', async () => {
  const type = (await leader.call(noteApi.offer, {})).types.find(({ name }) => name === 'Classroom behaviour');
  const indicatorId = type?.rubric?.domains[0]?.indicators[0]?.id ?? 0;
  const levelId = type?.rubric?.levels[0]?.id ?? 0;
  const [stage] = await school.sql(`select stage from academic_grade where id = (select min(id) from academic_grade)`);
  const [skill] =
    await school.sql(`with domain as (insert into configuration_skill_domain (name, position) values ('Care', 77) returning id)
    insert into configuration_skill (name, skill_domain_id, code, stages, description)
    select 'Shares', id, '', array['${stage?.stage}'], '' from domain returning id`);
  const [level] = await school.sql(
    'select id from configuration_skill_level where is_active order by position limit 1',
  );
  const over = {
    typeId: type?.id,
    ratings: [{ indicatorId, levelId, comment: '' }],
    skills: [{ skillId: Number(skill?.id), levelId: Number(level?.id) }],
  };
  const id = await write(leader, over);
  const shown = (await read(leader, id)).json;
  expect([shown.ratings, shown.skills.map((one: { skill: string }) => one.skill)]).toEqual([over.ratings, ['Shares']]);
  const foreign = await publish(leader, { ...over, ratings: [{ indicatorId: 999, levelId, comment: '' }] });
  expect(Object.keys(foreign.json.error.fields)).toEqual(['ratings']);
  await act(leader, id, 'withdraw', { reason: 'Wrong student' });
  expect(await school.sql(`select from student_skill_evidence where observation_note_id = ${id}`)).toEqual([]);
});

test('H1.13 the card of a student has the notes that its reader sees, and no restricted text', async () => {
  const child = await seat(school, sectionId, 'Dev');
  await write(leader, { studentIds: [child], note: 'Visible pistachio.' });
  await write(leader, { studentIds: [child], note: 'Hidden cashew.', reach: 'Restricted' });
  const cardFor = async (who: Person) => (await who.send({ url: `/api/student/${child}/card/observation` })).text;
  const ofPrincipal = await cardFor(principal);
  expect([
    ofPrincipal.includes('pistachio'),
    ofPrincipal.includes('cashew'),
    ofPrincipal.includes('Restricted'),
  ]).toEqual([true, false, true]);
  expect(await cardFor(teacher)).not.toMatch(/pistachio|cashew|Restricted/);
});

test('a note of the demo school is of a weekday, and never of a day before its child joined', () => {
  const days = Array.from({ length: 14 }, (_, place) => addDays('2026-06-01', place));
  const early = days.flatMap((joined) =>
    days.filter((day) => day >= joined && weekday(day, joined) < joined).map((day) => [joined, day]),
  );
  expect(early).toEqual([]);
  expect(
    days.map((day) => weekday(day, '2026-05-01')).filter((day) => [0, 6].includes(new Date(day).getUTCDay())),
  ).toEqual([]);
});
