import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { searchApi } from '#features/search/contract.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { render } from '#kit/server/messages/outbox.ts';
import type { Person } from '#testing/browser.ts';
import { prove, raiseWithLink } from '#testing/family.ts';
import { nextNumber } from '#testing/numbers.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import type { FamilyMeeting } from '../contract/family.ts';
import { meetingApi } from '../contract/meeting.ts';
import { dailyReminder, meetingTemplates } from './tell.ts';
import { meetingYearEnd } from './year-end.ts';

let school: School;
let office: Person;
let meera: Person;
let ravi: Person;
const today = toLocalDate(new Date());
const day = addDays(today, 3);

beforeAll(async () => {
  school = await openSchool();
  school.clock.now = new Date(`${today}T10:00:00+05:30`);
  office = await school.person({ sets: ['office'] });
});
afterAll(() => school.close());

const adult = (firstName: string) => ({ firstName, mobile: String(9_825_300_000 + nextNumber()) });
type Parent = Awaited<ReturnType<typeof raiseWithLink>>;

/** A section with a class teacher and a subject teacher, and two families with a child each. */
async function openMeeting(over: object = {}) {
  meera = await school.person({ name: 'Meera Rao' });
  ravi = await school.person({ name: 'Ravi Iyer' });
  const section = await openSection(school, { day: `'${day}'` });
  await teach(school, meera, { sectionId: section });
  await teach(school, ravi, { sectionId: section, role: 'Subject teacher' });
  const aarohi = await seat(school, section, 'Aarohi', { joinedOn: addDays(today, -9) });
  const dev = await seat(school, section, 'Dev', { joinedOn: addDays(today, -9) });
  const hers = await raiseWithLink(school, [aarohi], adult('Nisha'));
  const his = await raiseWithLink(school, [dev], adult('Nikhil'));
  await school.sql('update student_guardian set receives_messages = true');
  const { id } = await office.call(meetingApi.create, {
    name: 'Parent meeting',
    day,
    booksUntil: addDays(day, -1),
    from: '15:00',
    to: '17:00',
    minutes: '10',
    gap: '5',
    walk: '5',
    isApart: false,
    sectionIds: [section],
    hasSubjects: true,
    ...over,
  });
  return { id, section, aarohi, dev, hers, his };
}

async function open(id: number) {
  const { version } = await office.call(meetingApi.read, { id: String(id) });
  const preview = await office.call(meetingApi.open, { id: String(id), version });
  return office.call(meetingApi.open, { id: String(id), version, confirmToken: preview.confirmToken ?? '' });
}

const meetingsOf = async ({ link }: Parent) =>
  (await school.send({ url: `/api/family?family=${link}` })).json.parts.meeting as FamilyMeeting[];
const hostsOf = async (parent: Parent, meetingId: number) => {
  const found = (await meetingsOf(parent)).find(({ id }) => id === meetingId);
  const of = (name: string) => found?.teachers.find(({ teacher }) => teacher === name)?.hostId ?? 0;
  return { meera: of('Meera Rao'), ravi: of('Ravi Iyer') };
};
const timesOf = async ({ link }: Parent, host: number): Promise<{ id: number; from: string }[]> =>
  (await school.send({ url: `/api/family/meeting/host/${host}/slot?family=${link}` })).json;
const post = ({ link }: Parent, path: string, body: object = {}) =>
  school.send({ method: 'POST', url: `/api/family/meeting/slot/${path}?family=${link}`, body });
const idAt = async (parent: Parent, host: number, from: string) =>
  (await timesOf(parent, host)).find((one) => one.from === from)?.id ?? 0;

test('FM20 two hours make eight times, one of two families gets a time, and nobody books two teachers at once', async () => {
  const { id, aarohi, dev, hers, his } = await openMeeting();
  expect(await meetingsOf(hers)).toEqual([]);
  expect(await open(id)).toMatchObject({ isApplied: true, times: 16, children: 2, guardians: 2, unreached: 0 });
  const { meera: one, ravi: other } = await hostsOf(hers, id);
  const times = await timesOf(hers, one);
  expect(times.map(({ from }) => from)).toEqual([
    '15:00',
    '15:15',
    '15:30',
    '15:45',
    '16:00',
    '16:15',
    '16:30',
    '16:45',
  ]);

  const first = times[0]?.id ?? 0;
  const answers = await Promise.all([
    post(hers, `${first}/book`, { studentId: aarohi }),
    post(his, `${first}/book`, { studentId: dev }),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const isHers = answers[0]?.status === 200;
  const loser = answers[isHers ? 1 : 0];
  expect(loser?.text).toContain('15:15, 15:30, 15:45');

  const [winner, child] = isHers ? ([hers, aarohi] as const) : ([his, dev] as const);
  // The other teacher's talks are at 15:00, 15:10 and 15:15: only the last leaves five minutes to walk.
  await school.sql(`delete from meeting_slot where host_id = ${other};
    insert into meeting_slot (host_id, staff_id, starts_at, ends_at, leaves_at)
    select ${other}, ${ravi.staffId}, start, start + interval '5 minutes', start + interval '10 minutes'
    from unnest(array['${day} 15:00+05:30', '${day} 15:10+05:30', '${day} 15:15+05:30']::timestamptz[]) as start`);
  const statusAt = async (from: string) =>
    (await post(winner, `${await idAt(winner, other, from)}/book`, { studentId: child })).status;
  expect([await statusAt('15:00'), await statusAt('15:10'), await statusAt('15:15')]).toEqual([409, 409, 200]);

  // A second time with the same teacher is refused, until the first is given up.
  const second = await idAt(winner, one, '16:00');
  expect((await post(winner, `${second}/book`, { studentId: child })).status).toBe(409);
  expect((await post(winner, `${first}/free`)).status).toBe(200);
  expect((await post(winner, `${second}/book`, { studentId: child })).json).toMatchObject({
    from: '16:00',
    mayFree: true,
  });
});

test('FM28 a family that has no child there finds nothing, and one cannot free what another has booked', async () => {
  const { id, aarohi, hers, his } = await openMeeting();
  await open(id);
  const { meera: host } = await hostsOf(hers, id);
  const slot = await idAt(hers, host, '15:00');
  const stranger = await raiseWithLink(
    school,
    [await seat(school, await openSection(school, { day: `'${day}'` }), 'Bina', { joinedOn: addDays(today, -9) })],
    adult('Sara'),
  );
  const urls = [`host/${host}/slot`];
  for (const url of urls)
    expect((await school.send({ url: `/api/family/meeting/${url}?family=${stranger.link}` })).status).toBe(404);
  expect((await post(stranger, `${slot}/book`, { studentId: aarohi })).status).toBe(404);
  expect((await post(his, `${slot}/book`, { studentId: aarohi })).status).toBe(404);
  expect((await post(hers, `${slot}/book`, { studentId: aarohi })).status).toBe(200);
  expect((await post(his, `${slot}/free`)).status).toBe(404);
  expect((await meetingsOf(his))[0]?.teachers.map(({ booked }) => booked)).toEqual([null, null]);

  // Another teacher sees neither the times nor who comes; the own teacher does.
  const slots = await meera.call(meetingApi.slots, { id: String(host) });
  expect(slots.rows[0]).toMatchObject({ from: '15:00', child: expect.stringContaining('Aarohi') });
  expect((await ravi.send({ url: `/api/meeting/host/${host}/slot` })).status).toBe(404);
  expect((await meera.call(meetingApi.read, { id: String(id) })).hosts.map(({ teacher }) => teacher)).toEqual([
    'Meera Rao',
  ]);

  // Half a day before, a time is given up by telephone only.
  school.clock.now = new Date(`${day}T04:00:00+05:30`);
  expect((await post(hers, `${slot}/free`)).status).toBe(409);
  school.clock.now = new Date(`${today}T10:00:00+05:30`);
});

const queued = async (kind: string, guardianId: number) => {
  const rows = await school.sql(
    `select subject_id, version from outbox where template = '${kind}' and reader_id = ${guardianId}`,
  );
  return Promise.all(
    rows.map(async ({ subject_id, version }) => {
      const template = meetingTemplates[kind];
      return template && render(school.services, template, Number(subject_id), 'email', Number(version));
    }),
  );
};

test('FM27 a family hears once that it can book, the evening before of its times, and at once of a teacher who is away', async () => {
  const { id, aarohi, hers, his } = await openMeeting();
  expect(await queued('meeting.open', hers.guardianId)).toEqual([]);
  await open(id);
  expect(await queued('meeting.open', hers.guardianId)).toHaveLength(1);
  const { meera: host, ravi: other } = await hostsOf(hers, id);
  await post(hers, `${await idAt(hers, host, '15:00')}/book`, { studentId: aarohi });
  await post(hers, `${await idAt(hers, other, '15:30')}/book`, { studentId: aarohi });

  const close = { id: String(host), reason: 'Meera Rao is ill.' };
  const preview = await office.call(meetingApi.closeHost, close);
  expect(preview).toMatchObject({ isApplied: false, booked: 1, guardians: 1 });
  await office.call(meetingApi.closeHost, { ...close, confirmToken: preview.confirmToken ?? '' });
  const [closed] = await queued('meeting.closed', hers.guardianId);
  expect(JSON.stringify(closed)).toContain('Meera Rao is ill.');
  expect(await queued('meeting.closed', his.guardianId)).toEqual([]);

  school.clock.now = new Date(`${addDays(day, -1)}T17:00:00+05:30`);
  const remind = () =>
    school.services.db
      .transaction()
      .execute((db) => dailyReminder.act({ ...school.context(), db }, school.services.now()));
  await remind();
  await remind();
  const reminders = await queued('meeting.reminder', hers.guardianId);
  expect(reminders).toHaveLength(1);
  expect(JSON.stringify(reminders)).toContain('15:30');
  expect(JSON.stringify(reminders)).not.toContain('15:00');
  expect(await queued('meeting.reminder', his.guardianId)).toEqual([]);

  const { version } = await office.call(meetingApi.read, { id: String(id) });
  const off = { id: String(id), version, reason: 'Heavy rain.' };
  const shown = await office.call(meetingApi.cancel, off);
  expect(shown).toMatchObject({ booked: 1, guardians: 2 });
  await office.call(meetingApi.cancel, { ...off, confirmToken: shown.confirmToken ?? '' });
  expect(JSON.stringify(await queued('meeting.cancelled', his.guardianId))).toContain('Heavy rain.');
  expect(await meetingsOf(hers)).toEqual([]);
  school.clock.now = new Date(`${today}T10:00:00+05:30`);
});

test('FM25 a guardian’s calendar has the booked times, in UTC, until they are given up', async () => {
  const { id, dev, his } = await openMeeting();
  await open(id);
  const { meera: host } = await hostsOf(his, id);
  const slot = await idAt(his, host, '15:00');
  await post(his, `${slot}/book`, { studentId: dev });
  const { json } = await (await prove(school, his)).send({
    method: 'POST',
    url: `/api/family/feed?family=${his.link}`,
    body: {},
  });
  const entries = async () =>
    (await school.send({ url: `/api${json.address.split('/api')[1]}` })).text.split('BEGIN:VEVENT').slice(1);
  const [booked = '', ...more] = await entries();
  const compact = day.replaceAll('-', '');
  expect([more, booked.split('\r\n')]).toEqual([
    [],
    expect.arrayContaining([
      `DTSTART:${compact}T093000Z`,
      `DTEND:${compact}T094000Z`,
      'SUMMARY:D: Meeting with Meera Rao',
    ]),
  ]);
  await post(his, `${slot}/free`);
  await post(his, `${await idAt(his, host, '15:15')}/book`, { studentId: dev });
  const [moved = ''] = await entries();
  expect(moved).toContain(`DTSTART:${compact}T094500Z`);
  expect(/UID:.*/.exec(moved)?.[0]).toBe(/UID:.*/.exec(booked)?.[0]);
});

test('the office books for a family, and the teacher notes who came once the talk has begun', async () => {
  const { id, dev, hers } = await openMeeting();
  await open(id);
  const { meera: host } = await hostsOf(hers, id);
  const slot = await idAt(hers, host, '15:00');
  await office.call(meetingApi.book, { id: String(slot), studentId: dev });
  const came = { id: String(slot), came: 'Came', note: 'Reads well.' } as const;
  await expect(meera.call(meetingApi.came, came)).rejects.toThrow();
  school.clock.now = new Date(`${day}T15:01:00+05:30`);
  await meera.call(meetingApi.came, came);
  await expect(ravi.call(meetingApi.came, came)).rejects.toThrow();
  expect((await office.call(meetingApi.slots, { id: String(host) })).rows[0]).toMatchObject({
    came: 'Came',
    note: 'Reads well.',
  });
  school.clock.now = new Date(`${today}T10:00:00+05:30`);
});

test('a meeting asks the office to open it and its teachers who came, is found by its name, and a draft shows at the year’s end', async () => {
  const { id, dev, hers } = await openMeeting({ name: 'Open house of winter' });
  const asked = async (person: Person) => {
    const { rows } = await person.call(dashboardApi.todo, {});
    return rows.filter(({ to }) => to?.startsWith(`meeting/meeting-list/${id}`)).map(({ act }) => act?.id);
  };
  const drafts = async () => {
    const [line] = meetingYearEnd;
    const [year] = await school.sql(`select academic_year_id as id from meeting where id = ${id}`);
    const ctx = { ...school.context(), user: { role: 'Admin' } } as never;
    return (await line?.count(ctx, { id: Number(year?.id), branches: [] } as never))?.names?.map(
      ({ values }) => values?.words,
    );
  };
  expect([await asked(office), await asked(meera)]).toEqual([['Open'], []]);
  expect(await drafts()).toContain('Open house of winter');
  await open(id);
  expect([await asked(office), await drafts()]).toEqual([[], expect.not.arrayContaining(['Open house of winter'])]);
  const { meera: host } = await hostsOf(hers, id);
  await office.call(meetingApi.book, { id: String(await idAt(hers, host, '15:00')), studentId: dev });
  school.clock.now = new Date(`${day}T17:30:00+05:30`);
  expect([await asked(office), await asked(meera), await asked(ravi)]).toEqual([[], ['Enter'], []]);
  const found = async (person: Person) => JSON.stringify(await person.call(searchApi.find, { search: 'house of win' }));
  expect(await found(meera)).toContain('Open house of winter');
  const stranger = await school.person({ name: 'Teacher of another section' });
  expect(await found(stranger)).not.toContain('Open house of winter');
  school.clock.now = new Date(`${today}T10:00:00+05:30`);
});
