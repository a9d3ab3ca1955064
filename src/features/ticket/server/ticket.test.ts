import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dashboardApi } from '#features/dashboard/contract.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, paper, type School } from '#testing/school.ts';
import { raise as raiseChild, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { openTickets, plantTicket, raise, readTicket, reply } from '#testing/tickets.ts';
import { byMeList, toMeList } from '../contract/list.ts';
import { ticketApi } from '../contract/ticket.ts';

let school: School;
let tickets: Awaited<ReturnType<typeof openTickets>>;
let raiser: Person;
let agent: Person;
let second: Person;
let stranger: Person;
let queue: number;
let owned: number;
/** Friday, 3 July 2026, 14:00. */
const friday = '2026-07-03T14:00:00+05:30';
const goTo = (moment: string) => {
  school.clock.now = new Date(moment);
};
beforeAll(async () => {
  school = await openSchool();
  goTo(friday);
  tickets = await openTickets(school);
  raiser = await tickets.member(tickets.accounts, { name: 'Asha' });
  agent = await tickets.member(tickets.maintenance, { name: 'Ravi', sets: ['ticketAgent'] });
  second = await tickets.member(tickets.maintenance, { name: 'Mohan', sets: ['ticketAgent'] });
  stranger = await tickets.member(tickets.accounts, { name: 'Farida', sets: ['ticketAgent'] });
  queue = await tickets.category('Repairs');
  owned = await tickets.category('Computers', { assignee_id: agent.staffId });
});
afterAll(() => school.close());
beforeEach(() => goTo(friday));

const at = (words: string | null) =>
  words && new Date(new Date(words).getTime() + 330 * 60_000).toISOString().slice(0, 16);
const versionOf = async (person: Person, id: number) => (await readTicket(person, id))?.version ?? 0;
const numbers = async (person: Person, list: typeof toMeList | typeof byMeList, tab = '') =>
  (await person.call(list.api.list, { tab } as never)).rows.map(({ ticketNo }) => ticketNo);

test('G1.1 G0.1 a new ticket is in the list of the category’s person, with its number and due times', async () => {
  const { id, ticketNo } = await raise(
    raiser,
    { categoryId: owned, place: 'Room 4' },
    { file1: await paper('Invoice') },
  );
  expect(ticketNo).toMatch(/^TKT\/\d{4}-\d{2}\/\d{5}$/);
  const record = await readTicket(agent, id);
  expect(record).toMatchObject({ status: 'Open', assignee: { name: 'Ravi' }, place: 'Room 4', chip: 'On time' });
  expect([at(record?.responseDueAt ?? null), at(record?.resolutionDueAt ?? null)]).toEqual([
    '2026-07-04T10:00',
    '2026-07-06T14:00',
  ]);
  expect(await numbers(agent, toMeList)).toContain(ticketNo);
  expect(await numbers(raiser, byMeList)).toContain(ticketNo);
  const [file] = record?.files ?? [];
  const { status } = await agent.send({ url: `/api/ticket/${id}/file/${file?.id}` });
  expect(status).toBe(200);
  expect((await stranger.send({ url: `/api/ticket/${id}/file/${file?.id}` })).status).toBe(404);
});

test('a ticket goes from the queue to an agent, an answer, a solution and the confirmation of its raiser', async () => {
  const { id, ticketNo } = await raise(raiser, { categoryId: queue });
  expect(await numbers(agent, toMeList, 'queue')).toContain(ticketNo);
  const waiting = (await agent.call(dashboardApi.badges, {}))['ticket/ticket-entry-assign-to-me'] ?? 0;
  goTo('2026-07-03T15:00:00+05:30');
  await agent.call(ticketApi.accept, { id });
  expect(await readTicket(raiser, id)).toMatchObject({ status: 'In progress', assignee: { name: 'Ravi' } });
  expect(at((await readTicket(raiser, id))?.respondedAt ?? null)).toBe('2026-07-03T15:00');
  await reply(agent, id, 'I am coming on Saturday.');
  await reply(agent, id, 'The bearing is gone.', 'Internal');
  const seen = await readTicket(raiser, id);
  expect(seen?.talk.map(({ kind, body }) => [kind, body])).toEqual([
    ['Transfer', ''],
    ['Public', 'I am coming on Saturday.'],
  ]);
  expect((await readTicket(agent, id))?.talk.map(({ kind }) => kind)).toEqual(['Transfer', 'Public', 'Internal']);
  await agent.call(ticketApi.resolve, { id, version: await versionOf(agent, id), text: 'A new bearing.' });
  const resolved = await readTicket(raiser, id);
  expect(resolved).toMatchObject({ status: 'Resolved', resolution: 'A new bearing.', may: { confirm: true } });
  expect(at(resolved?.closesAt ?? null)).toBe('2026-07-07T15:00');
  expect(await numbers(raiser, byMeList, 'resolved')).toContain(ticketNo);
  await raiser.call(ticketApi.confirm, { id, rating: '5' });
  expect(await readTicket(agent, id)).toMatchObject({ status: 'Closed', rating: 5 });
  expect(await numbers(agent, toMeList, 'done')).toContain(ticketNo);
  expect((await agent.call(dashboardApi.badges, {}))['ticket/ticket-entry-assign-to-me']).toBe(waiting - 1);
});

test('G1.2 the raiser cannot resolve, and nobody else can confirm', async () => {
  const { id } = await raise(raiser, { categoryId: owned });
  const version = await versionOf(raiser, id);
  await expect(raiser.call(ticketApi.resolve, { id, version, text: 'Done.' })).rejects.toMatchObject({
    code: 'conflict',
  });
  await agent.call(ticketApi.resolve, { id, version, text: 'Done.' });
  await expect(agent.call(ticketApi.confirm, { id, rating: '' })).rejects.toMatchObject({ code: 'forbidden' });
});

test('G2.2 an internal note is neither for the raiser to read nor to write', async () => {
  const { id } = await raise(raiser, { categoryId: owned });
  await reply(agent, id, 'Ask the vendor first.', 'Internal', { file1: await paper('Offer') });
  const [{ id: file } = {}] = (await readTicket(agent, id))?.talk[0]?.files ?? [];
  const { text } = await raiser.send({ url: `/api/ticket/${id}/record` });
  expect(text).not.toContain('vendor');
  expect((await agent.send({ url: `/api/ticket/${id}/file/${file}` })).status).toBe(200);
  expect((await raiser.send({ url: `/api/ticket/${id}/file/${file}` })).status).toBe(404);
  await expect(reply(raiser, id, 'Mine', 'Internal')).rejects.toMatchObject({ code: 'invalid' });
});

test('G0.2 G2.1 G2.3 a hold moves the due time by the business hours on hold, and a transfer by nothing', async () => {
  const { id } = await raise(raiser, { categoryId: owned });
  goTo('2026-07-04T10:00:00+05:30');
  const [reason] = await school.sql(`select id from ticket_hold_reason where name = 'Waiting for third party'`);
  await agent.call(ticketApi.hold, { id, version: await versionOf(agent, id), reasonId: Number(reason?.id), note: '' });
  expect(await readTicket(raiser, id)).toMatchObject({
    status: 'On hold',
    chip: 'Paused',
    resolutionDueAt: null,
    minutesLeft: 720,
  });
  await reply(raiser, id, 'Any news?');
  expect((await readTicket(raiser, id))?.status).toBe('On hold');
  goTo('2026-07-06T10:00:00+05:30');
  await agent.call(ticketApi.resume, { id, version: await versionOf(agent, id) });
  expect(at((await readTicket(raiser, id))?.resolutionDueAt ?? null)).toBe('2026-07-07T14:00');
  const version = await versionOf(agent, id);
  await agent.call(ticketApi.transfer, {
    id,
    version,
    staffId: second.staffId,
    departmentId: null,
    reason: 'On leave',
  });
  const moved = await readTicket(raiser, id);
  expect([moved?.assignee?.name, at(moved?.resolutionDueAt ?? null)]).toEqual(['Mohan', '2026-07-07T14:00']);
  expect(moved?.talk.at(-1)).toMatchObject({ kind: 'Transfer', by: 'Ravi', to: 'Mohan', body: 'On leave' });
  const { resolutionDueAt } = await second.call(ticketApi.dueAt, { id, priority: 'Urgent' });
  expect(at(resolutionDueAt)).toBe('2026-07-06T14:00');
  await second.call(ticketApi.setPriority, {
    id,
    version: await versionOf(second, id),
    priority: 'Low',
    reason: 'Not urgent',
  });
  expect(at((await readTicket(raiser, id))?.resolutionDueAt ?? null)).toBe('2026-07-10T14:00');
});

test('a reply of the raiser goes on with a ticket that waits for the raiser', async () => {
  const { id } = await raise(raiser, { categoryId: owned });
  const [reason] = await school.sql(`select id from ticket_hold_reason where name = 'Waiting for requester'`);
  await agent.call(ticketApi.hold, {
    id,
    version: await versionOf(agent, id),
    reasonId: Number(reason?.id),
    note: 'Which fan?',
  });
  await reply(raiser, id, 'The left one.');
  expect(await readTicket(raiser, id)).toMatchObject({ status: 'In progress', hold: null });
});

test('transferred to a department, a ticket is open in its queue', async () => {
  const { id, ticketNo } = await raise(raiser, { categoryId: owned });
  await agent.call(ticketApi.accept, { id });
  const transfer = { id, staffId: null, departmentId: tickets.accounts, reason: 'A bill' };
  await agent.call(ticketApi.transfer, { ...transfer, version: await versionOf(agent, id) });
  expect(await readTicket(raiser, id)).toMatchObject({ status: 'Open', assignee: null, department: 'Accounts' });
  expect(await numbers(stranger, toMeList, 'queue')).toContain(ticketNo);
  expect(await readTicket(agent, id)).toBeUndefined();
});

test('G1.3 a closed ticket is reopened until the end of the seventh day, and not on the eighth', async () => {
  const { id } = await raise(raiser, { categoryId: owned });
  goTo('2026-07-07T10:00:00+05:30');
  await agent.call(ticketApi.resolve, { id, version: await versionOf(agent, id), text: 'Done.' });
  await raiser.call(ticketApi.confirm, { id, rating: '4' });
  goTo('2026-07-15T00:00:00+05:30');
  await expect(raiser.call(ticketApi.reopen, { id, reason: 'Again' })).rejects.toMatchObject({ code: 'conflict' });
  goTo('2026-07-09T15:00:00+05:30');
  await raiser.call(ticketApi.reopen, { id, reason: 'Again' });
  const record = await readTicket(raiser, id);
  expect(record).toMatchObject({ status: 'In progress', reopenCount: 1, rating: null, resolution: '' });
  expect(at(record?.resolutionDueAt ?? null)).toBe('2026-07-11T15:00');
  expect(record?.talk.map(({ body }) => body)).toEqual(['Done.', 'Again']);
});

test('an open ticket is cancelled by its raiser, and no other', async () => {
  const { id } = await raise(raiser, { categoryId: owned });
  const version = await versionOf(raiser, id);
  await expect(agent.call(ticketApi.cancel, { id, version, reason: 'No' })).rejects.toMatchObject({
    code: 'forbidden',
  });
  await raiser.call(ticketApi.cancel, { id, version, reason: 'It works again' });
  expect(await readTicket(raiser, id)).toMatchObject({ status: 'Cancelled', cancelReason: 'It works again' });
  await expect(reply(agent, id, 'Fine')).rejects.toMatchObject({ code: 'conflict' });
  await raise(raiser, { categoryId: owned });
});

test('a category says what its tickets need, and by when they are solved', async () => {
  const needy = await tickets.category('Cleaning', {
    requires_place: true,
    priority: 'Medium',
    template: 'Which floor?',
  });
  const estimate = await raiser.call(ticketApi.estimate, { categoryId: needy, priority: '' });
  expect(estimate).toMatchObject({
    department: 'Maintenance',
    assignee: '',
    priority: 'Medium',
    template: 'Which floor?',
  });
  expect(at(estimate.resolutionDueAt)).toBe('2026-07-06T14:00');
  await expect(raise(raiser, { categoryId: needy })).rejects.toMatchObject({ fields: { roomId: expect.anything() } });
  await raise(raiser, { categoryId: needy, place: 'Stairs' });
});

test('open tickets with similar words are found, and only those that the user may read', async () => {
  const { ticketNo } = await raise(raiser, { categoryId: owned, subject: 'Projector does not start' });
  const find = (person: Person) => person.call(ticketApi.similar, { subject: 'projecter broken' });
  expect((await find(raiser)).map(({ ticketNo: number }) => number)).toContain(ticketNo);
  expect(await find(stranger)).toEqual([]);
});

test('G2.4 of two agents who accept at the same time one wins, and the other reads who', async () => {
  for (let round = 0; round < 20; round++) {
    const { id } = await raise(raiser, { categoryId: queue });
    const both = await Promise.allSettled([agent, second].map((person) => person.call(ticketApi.accept, { id })));
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [lost] = both.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(lost).toMatchObject({ code: 'conflict', text: { id: 'Accepted by {assignee} a moment ago.' } });
  }
});

test('a reply at the same time as a solution is kept, and the solution is refused as stale or comes first', async () => {
  for (let round = 0; round < 20; round++) {
    const { id } = await raise(raiser, { categoryId: owned });
    const version = await versionOf(agent, id);
    const [replied, resolved] = await Promise.allSettled([
      reply(raiser, id, 'One more thing'),
      agent.call(ticketApi.resolve, { id, version, text: 'Done.' }),
    ]);
    expect(replied.status).toBe('fulfilled');
    const record = await readTicket(agent, id);
    const bodies = record?.talk.map(({ body }) => body) ?? [];
    expect(bodies).toContain('One more thing');
    if (resolved.status === 'rejected') expect(resolved.reason).toMatchObject({ code: 'stale' });
    expect(record?.status).toBe(resolved.status === 'rejected' ? 'Open' : 'Resolved');
  }
});

test('a ticket about a child names whom to call, for readers of the family alone', async () => {
  const child = await seat(school, await openSection(school, { day: `'${friday.slice(0, 10)}'` }), 'Diya');
  await raiseChild(school, [child], { firstName: 'Nikhil', mobile: '5550001694' });
  const office = await school.person({ sets: ['office'] });
  const teacher = await school.person();
  for (const { staffId } of [office, teacher]) {
    const id = await plantTicket(school, staffId);
    await school.sql(`update ticket set about_student_id = ${child} where id = ${id}`);
    const { student } = (await readTicket(staffId === office.staffId ? office : teacher, id)) ?? {};
    expect(student?.contact).toEqual(
      staffId === office.staffId ? { name: 'Nikhil Shah', relation: 'Father', mobile: '5550001694' } : null,
    );
  }
});

test('a ticket names the other tickets about its child that its reader may open', async () => {
  const child = await seat(school, await openSection(school, { day: `'${friday.slice(0, 10)}'` }), 'Kavya');
  const office = await school.person({ sets: ['office'] });
  const [first, second, secret] = [
    await plantTicket(school, office.staffId),
    await plantTicket(school, office.staffId),
    await plantTicket(school, stranger.staffId),
  ];
  await school.sql(`update ticket set about_student_id = ${child} where id in (${first}, ${second}, ${secret})`);
  await school.sql(`update ticket set is_confidential = true where id = ${secret}`);
  expect((await readTicket(office, first))?.others.map(({ id }) => id)).toEqual([second]);
});
