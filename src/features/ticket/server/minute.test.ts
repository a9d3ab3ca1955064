import { afterAll, beforeAll, expect, test } from 'vitest';
import { doEveryMinute } from '#kit/server/job/every-minute.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openTickets, raise, readTicket, reply } from '#testing/tickets.ts';
import { ticketConfigApi } from '../contract/config.ts';
import { ticketApi } from '../contract/ticket.ts';
import { ticketMinutes } from './minute.ts';
import { retimeAll } from './times.ts';

let school: School;
let raiser: Person;
let agent: Person;
let head: Person;
let principal: Person;
let category: number;
const friday = '2026-07-03T14:00:00+05:30';
const goTo = (moment: string) => {
  school.clock.now = new Date(moment);
};
beforeAll(async () => {
  school = await openSchool();
  goTo(friday);
  const tickets = await openTickets(school);
  raiser = await tickets.member(tickets.accounts, { name: 'Asha' });
  agent = await tickets.member(tickets.maintenance, { name: 'Ravi', sets: ['ticketAgent'] });
  head = await tickets.member(tickets.maintenance, { name: 'Hema' });
  principal = await tickets.member(tickets.accounts, { name: 'Prem', sets: ['principal'] });
  await school.sql(`update academic_department set staff_id = ${head.staffId} where id = ${tickets.maintenance}`);
  category = await tickets.category('Computers', { assignee_id: agent.staffId });
});
afterAll(() => school.close());

const minute = (...names: string[]) =>
  Promise.all(
    ticketMinutes
      .filter(({ name }) => names.length === 0 || names.includes(name))
      .map((task) => doEveryMinute(school.services, task)),
  );
const told = async (person: Person, id: number) => {
  const rows = await school.sql(`select kind from notice where account_id = ${person.id} and dedupe_key = 'ticket ${id}'
    and kind not in ('ticket.assigned', 'ticket.answered') and read_at is null order by id`);
  await school.sql(`update notice set read_at = now()`);
  return rows.map(({ kind }) => kind);
};
const levels = async (id: number) =>
  (await school.sql(`select level from ticket_escalation where ticket_id = ${id} order by level`)).map(
    ({ level }) => level,
  );
const versionOf = async (person: Person, id: number) => (await readTicket(person, id))?.version ?? 0;

test('escalation tells the agent at 80 %, the head at the due time and the principal a working day later, each once', async () => {
  const { id } = await raise(raiser, { categoryId: category });
  await reply(agent, id, 'I am coming.');
  const steps: [string, Person, string[]][] = [
    ['2026-07-06T10:48:30+05:30', agent, []],
    ['2026-07-06T10:49:00+05:30', agent, ['ticket.soon']],
    ['2026-07-06T14:00:59+05:30', head, []],
    ['2026-07-06T14:01:00+05:30', head, ['ticket.overdue']],
    ['2026-07-07T14:01:00+05:30', principal, ['ticket.late']],
    ['2026-07-09T14:01:00+05:30', principal, []],
  ];
  for (const [moment, person, expected] of steps) {
    goTo(moment);
    await minute();
    await minute();
    expect([moment, await told(person, id)]).toEqual([moment, expected]);
  }
  expect(await levels(id)).toEqual([1, 2, 3]);
});

test('a level that passed while the server was down is told once, and a person only of the highest level', async () => {
  goTo(friday);
  const { id } = await raise(raiser, { categoryId: category });
  goTo('2026-07-08T10:00:00+05:30');
  await Promise.all([minute('ticket.escalate'), minute('ticket.escalate')]);
  expect(await levels(id)).toEqual([0, 1, 2, 3]);
  const rows = await school.sql(`select account_id, kind from notice where dedupe_key = 'ticket ${id}'
    and kind in ('ticket.unanswered', 'ticket.soon', 'ticket.overdue', 'ticket.late') order by account_id`);
  expect(rows).toEqual([
    { account_id: agent.id, kind: 'ticket.soon' },
    { account_id: head.id, kind: 'ticket.overdue' },
    { account_id: principal.id, kind: 'ticket.late' },
  ]);
  const mails = await school.sql(
    `select template from outbox where subject_id = ${id} and template in ('ticket.soon', 'ticket.overdue', 'ticket.late')`,
  );
  expect(mails).toHaveLength(3);
});

test('a ticket on hold is not escalated, and a reopened one begins with the first level again', async () => {
  goTo(friday);
  const { id } = await raise(raiser, { categoryId: category });
  const [reason] = await school.sql('select min(id) as id from ticket_hold_reason');
  await agent.call(ticketApi.hold, { id, version: await versionOf(agent, id), reasonId: Number(reason?.id), note: '' });
  goTo('2026-07-20T10:00:00+05:30');
  await minute();
  expect(await levels(id)).toEqual([]);
  await agent.call(ticketApi.resolve, { id, version: await versionOf(agent, id), text: 'Done.' });
  await raiser.call(ticketApi.reopen, { id, reason: 'Again' });
  goTo('2026-07-22T09:00:00+05:30');
  await minute();
  const rows = await school.sql(`select round, level from ticket_escalation where ticket_id = ${id}`);
  expect(rows).toEqual([{ round: 1, level: 1 }]);
});

test('G1.5 a resolved ticket closes by itself after three working days, and a reply of its raiser begins them again', async () => {
  goTo(friday);
  const [first, second] = [
    await raise(raiser, { categoryId: category }),
    await raise(raiser, { categoryId: category }),
  ];
  for (const { id } of [first, second])
    await agent.call(ticketApi.resolve, { id, version: await versionOf(agent, id), text: 'Done.' });
  goTo('2026-07-06T09:00:00+05:30');
  await reply(raiser, second.id, 'Let me see.');
  goTo('2026-07-07T13:59:00+05:30');
  await minute();
  expect((await readTicket(raiser, first.id))?.status).toBe('Resolved');
  goTo('2026-07-07T14:00:00+05:30');
  await Promise.all([minute('ticket.close'), minute('ticket.close')]);
  expect([(await readTicket(raiser, first.id))?.status, (await readTicket(raiser, second.id))?.status]).toEqual([
    'Closed',
    'Resolved',
  ]);
  goTo('2026-07-09T09:00:00+05:30');
  await minute();
  expect((await readTicket(raiser, second.id))?.status).toBe('Closed');
  expect(
    await school.sql(`select actor from audit where action = 'ticket.closed' and entity_id = ${first.id}`),
  ).toEqual([{ actor: 'System' }]);
});

test('G3.2 a change of targets is for new tickets, and new hours move the due times of open tickets', async () => {
  const admin = await school.person({ name: 'Kiran', role: 'Admin' });
  goTo('2026-07-10T15:00:00+05:30');
  const before = await raise(raiser, { categoryId: category });
  const { policies } = await admin.call(ticketConfigApi.policies, {});
  const fast = { lowResponse: '5', mediumResponse: '5', highResponse: '5', urgentResponse: '5' };
  const done = { lowResolution: '60', mediumResolution: '60', highResolution: '60', urgentResolution: '60' };
  const policy = { policyId: policies[0]?.id ?? null, name: 'Usual', isDefault: true, pausesOnHold: true };
  await admin.call(ticketConfigApi.savePolicy, { ...policy, ...fast, ...done });
  const after = await raise(raiser, { categoryId: category });
  const due = async (id: number) => (await readTicket(raiser, id))?.resolutionDueAt;
  expect([await due(before.id), await due(after.id)]).toEqual(['2026-07-13T09:30:00.000Z', '2026-07-10T10:30:00.000Z']);
  const wrong = { ...policy, ...fast, ...done, highResolution: '4' };
  await expect(admin.call(ticketConfigApi.savePolicy, wrong)).rejects.toMatchObject({ code: 'invalid' });
  const day = { opens: '10:00', closes: '14:00', halfDayCloses: '', breakFrom: '', breakTo: '' };
  const days = [1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, ...day }));
  await expect(admin.call(ticketConfigApi.saveHours, { fromDay: '2026-07-09', days })).rejects.toMatchObject({
    code: 'invalid',
  });
  await admin.call(ticketConfigApi.saveHours, { fromDay: '2026-07-11', days });
  // 60 minutes on Friday, then 240 on each of four days.
  expect(await due(before.id)).toBe('2026-07-15T07:30:00.000Z');
});

test('the stored times are those that the clock computes from the rows', async () => {
  expect(await school.services.db.transaction().execute((db) => retimeAll({ db }))).toBe(0);
});
