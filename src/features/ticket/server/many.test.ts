import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openTickets, raise, readTicket } from '#testing/tickets.ts';
import { manyApi } from '../contract/many.ts';
import { ticketApi } from '../contract/ticket.ts';

let school: School;
let raiser: Person;
let agent: Person;
let second: Person;
let plain: Person;
let queue: number;
let owned: number;
let secret: number;
const goTo = (moment: string) => {
  school.clock.now = new Date(moment);
};
beforeAll(async () => {
  school = await openSchool();
  goTo('2026-07-03T14:00:00+05:30');
  const tickets = await openTickets(school);
  raiser = await tickets.member(tickets.accounts, { name: 'Asha' });
  agent = await tickets.member(tickets.maintenance, { name: 'Ravi', sets: ['ticketAgent'] });
  second = await tickets.member(tickets.maintenance, { name: 'Mohan', sets: ['ticketAgent'] });
  plain = await tickets.member(tickets.maintenance, { name: 'Lata' });
  queue = await tickets.category('Repairs');
  owned = await tickets.category('Computers', { assignee_id: plain.staffId });
  secret = await tickets.category('Complaints', { assignee_id: agent.staffId, is_confidential: true });
});
afterAll(() => school.close());

const chosen = (...ids: number[]) => ({ selection: { ids, isAll: false, query: {} } });
const statusOf = async (id: number, reader = agent) => (await readTicket(reader, id))?.status;
const bells = async (person: Person) =>
  (
    await school.sql(`select text ->> 'id' as words from notice join sign_in_account account on account.id = account_id
      where account.staff_id = ${person.staffId} and read_at is null`)
  ).map(({ words }) => String(words));

test('an agent accepts several tickets at once after a preview, and those of others are skipped with the reason', async () => {
  const [one, two, others] = [
    await raise(raiser, { categoryId: queue }),
    await raise(agent, { categoryId: queue }),
    await raise(raiser, { categoryId: owned }),
  ];
  const input = chosen(one.id, two.id, others.id);
  const preview = await agent.call(manyApi.accept, input);
  expect(preview).toMatchObject({ changed: 2, skippedCount: 1, isApplied: false });
  expect(preview.skipped).toMatchObject([{ name: others.ticketNo, reason: { id: expect.stringContaining('accept') } }]);
  expect(await statusOf(one.id)).toBe('Open');
  await agent.call(manyApi.accept, { ...input, confirmToken: preview.confirmToken ?? undefined });
  expect([await statusOf(one.id), await statusOf(two.id), await statusOf(others.id)]).toEqual([
    'In progress',
    'In progress',
    'Open',
  ]);
  expect((await readTicket(raiser, one.id))?.respondedAt).not.toBeNull();
  // Nobody has answered a ticket that its own raiser accepts.
  expect((await readTicket(agent, two.id))?.respondedAt).toBeNull();
});

test('of two previews of the same tickets the second to apply is refused, and shows what is left', async () => {
  const { id } = await raise(raiser, { categoryId: queue });
  const previews = await Promise.all([agent, second].map((person) => person.call(manyApi.accept, chosen(id))));
  const both = await Promise.allSettled(
    [agent, second].map((person, place) =>
      person.call(manyApi.accept, { ...chosen(id), confirmToken: previews[place]?.confirmToken ?? undefined }),
    ),
  );
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(both.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))).toEqual(['stale']);
});

test('several tickets are transferred and prioritised at once, a confidential one to no department', async () => {
  const [one, hidden] = [await raise(raiser, { categoryId: queue }), await raise(raiser, { categoryId: secret })];
  const [department] = await school.sql(`select id from academic_department where name = 'Accounts'`);
  const to = { ...chosen(one.id, hidden.id), staffId: null, departmentId: Number(department?.id), reason: 'Theirs' };
  const preview = await agent.call(manyApi.transfer, to);
  expect(preview).toMatchObject({ changed: 1, skipped: [{ name: hidden.ticketNo }] });
  const urgent = { ...chosen(one.id, hidden.id), priority: 'Urgent' as const, reason: 'Exams' };
  const { confirmToken } = await agent.call(manyApi.prioritise, urgent);
  await agent.call(manyApi.prioritise, { ...urgent, confirmToken: confirmToken ?? undefined });
  expect([(await readTicket(agent, one.id))?.priority, (await readTicket(agent, hidden.id))?.priority]).toEqual([
    'Urgent',
    'Urgent',
  ]);
  const [due] = await school.sql(`select resolution_due_at from ticket where id = ${one.id}`);
  // 480 minutes from Friday, 14:00.
  expect(new Date(String(due?.resolution_due_at)).toISOString()).toBe('2026-07-04T08:30:00.000Z');
});

test('a raiser reminds the people who have the tickets, by one bell each', async () => {
  const { id, ticketNo } = await raise(raiser, { categoryId: owned });
  const done = await raise(raiser, { categoryId: owned });
  await plain.call(ticketApi.resolve, { id: done.id, version: 1, text: 'Done.' });
  const preview = await raiser.call(manyApi.remind, chosen(id, done.id));
  expect(preview).toMatchObject({ changed: 1, skipped: [{ name: done.ticketNo }] });
  await raiser.call(manyApi.remind, { ...chosen(id, done.id), confirmToken: preview.confirmToken ?? undefined });
  expect((await bells(plain)).filter((words) => words.startsWith('A reminder'))).toHaveLength(1);
  await expect(agent.call(manyApi.remind, chosen(id))).rejects.toMatchObject({ code: 'conflict' });
  expect(ticketNo).not.toBe('');
});

test('an accept, a hold and a transfer are undone by the person who acted, for a minute, and by nobody else', async () => {
  const { id } = await raise(raiser, { categoryId: queue });
  const accepted = await agent.call(ticketApi.accept, { id });
  await expect(second.call(ticketApi.undo, accepted)).rejects.toMatchObject({ code: 'not_found' });
  await agent.call(ticketApi.undo, accepted);
  expect(await readTicket(agent, id)).toMatchObject({ status: 'Open', assignee: null, respondedAt: null });
  await expect(agent.call(ticketApi.undo, { id, version: 3 })).rejects.toMatchObject({ code: 'not_found' });

  const [reason] = await school.sql('select min(id) as id from ticket_hold_reason');
  const own = await raise(raiser, { categoryId: owned });
  await plain.call(ticketApi.accept, { id: own.id });
  const held = await plain.call(ticketApi.hold, { id: own.id, version: 2, reasonId: Number(reason?.id), note: '' });
  // The receiver does not see the ticket any more, and undoes it all the same.
  const moved = await plain.call(ticketApi.transfer, {
    ...held,
    staffId: null,
    departmentId: Number((await school.sql(`select id from academic_department where name = 'Accounts'`))[0]?.id),
    reason: 'Wrong',
  });
  expect(await statusOf(own.id, raiser)).toBe('Open');
  const back = await plain.call(ticketApi.undo, moved);
  expect(await readTicket(plain, own.id)).toMatchObject({ status: 'On hold', assignee: { name: 'Lata' } });
  expect(back.version).toBe(5);
  const again = await plain.call(ticketApi.resume, { id: own.id, version: 5 });
  const last = await plain.call(ticketApi.hold, { ...again, reasonId: Number(reason?.id), note: '' });
  goTo('2026-07-03T14:02:00+05:30');
  await expect(plain.call(ticketApi.undo, last)).rejects.toMatchObject({ code: 'conflict' });
});

test('the dashboard has the own tickets that are overdue, due today and to confirm', async () => {
  goTo('2026-07-03T14:00:00+05:30');
  const late = await raise(raiser, { categoryId: owned, subject: 'Slow screen' });
  const solved = await raise(raiser, { categoryId: owned, subject: 'Broken key' });
  await plain.call(ticketApi.resolve, { id: solved.id, version: 1, text: 'Done.' });
  goTo('2026-07-07T15:00:00+05:30');
  const { rows } = await plain.call(dashboardApi.todo, {});
  expect(rows).toContainEqual(
    expect.objectContaining({ title: 'Slow screen', when: 'late', to: `ticket/ticket-entry/${late.id}` }),
  );
  const own = await raiser.call(dashboardApi.todo, {});
  expect(own.rows.map(({ title, act }) => [title, english(act)])).toContainEqual(['Broken key', 'Confirm']);
});
