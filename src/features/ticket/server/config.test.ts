import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { departmentMaster } from '#features/school/contract/masters.ts';
import { leavingApi } from '#features/staff/contract/leaving.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { sampleOf } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openTickets, raise, readTicket } from '#testing/tickets.ts';
import { targetFields, ticketConfigApi } from '../contract/config.ts';
import { categoryMaster } from '../contract/masters.ts';
import { ticketApi } from '../contract/ticket.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Kiran', role: 'Admin' });
});
afterAll(() => school.close());

test('a school without categories adds the usual categories with targets and hours, once', async () => {
  expect((await admin.call(ticketConfigApi.policies, {})).isEmpty).toBe(true);
  await expect(admin.call(ticketConfigApi.addUsual, {})).rejects.toMatchObject({ code: 'conflict' });
  await school.sql(`insert into academic_department (name) values ('Office'), ('Accounts')`);
  await admin.call(ticketConfigApi.addUsual, {});
  const { rows } = await admin.call(categoryMaster.api.list, {} as never);
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['Maintenance', 'IT', 'Fees', 'Safety']));
  expect(await admin.call(ticketConfigApi.policies, {})).toMatchObject({
    isEmpty: false,
    policies: [{ name: 'Usual', isDefault: true }],
  });
  const [hours] = await admin.call(ticketConfigApi.hours, {});
  expect(hours?.days[0]).toMatchObject({ opens: '09:00', closes: '17:00', breakFrom: '13:00', breakTo: '13:45' });
  await expect(admin.call(ticketConfigApi.addUsual, {})).rejects.toMatchObject({ code: 'conflict' });
});

test('the levels of the escalation are changed in one form', async () => {
  const given = { warns: true, percent: '90', tellsHead: false, tellsPrincipal: true, workingDays: '2' };
  await admin.call(ticketConfigApi.saveRules, given);
  expect(await admin.call(ticketConfigApi.rules, {})).toEqual({ ...given, percent: 90, workingDays: 2 });
});

test('open tickets of a colleague who leaves go to the queue, and the dashboard counts those of each person', async () => {
  await school.sql('delete from ticket_hours; truncate ticket_policy cascade; truncate ticket_category cascade');
  await school.sql(`delete from academic_department`);
  const tickets = await openTickets(school);
  const raiser = await tickets.member(tickets.accounts, { name: 'Asha' });
  const agent = await tickets.member(tickets.maintenance, { name: 'Ravi' });
  const category = await tickets.category('Doors', { assignee_id: agent.staffId });
  const { id } = await raise(raiser, { categoryId: category });
  await agent.call(ticketApi.accept, { id });
  const { cards } = await agent.call(dashboardApi.read, {});
  const card = cards.find(({ title }) => english(title) === 'Tickets');
  expect(card?.figures.map(({ label, value }) => [english(label), value])).toContainEqual(['Mine', 1]);
  await school.sql(`insert into hris_separation_reason (name) values ('Moved away')`);
  const [reason] = await school.sql('select max(id) as id from hris_separation_reason');
  const lastDay = new Date().toISOString().slice(0, 10);
  const draft = {
    id: agent.staffId,
    lastDay,
    separationReasonId: Number(reason?.id),
    remark: '',
    endsNow: false,
    overrides: false,
  };
  const preview = await admin.call(leavingApi.relieve, draft as never);
  expect(JSON.stringify(preview)).toContain('open ticket');
  await admin.call(leavingApi.relieve, { ...draft, confirmToken: preview.confirmToken } as never);
  expect(await readTicket(raiser, id)).toMatchObject({ status: 'Open', assignee: null });
});

test('G3.2 new targets leave open tickets as they are until they are applied to them after a preview', async () => {
  const [policy] = (await admin.call(ticketConfigApi.policies, {})).policies;
  const tickets = await school.sql(`select id from academic_department where name = 'Maintenance'`);
  const raiser = await school.person({ name: 'Bina' });
  const [category] = await school.sql(`insert into ticket_category (name, department_id, priority)
    values ('Taps', ${tickets[0]?.id}, 'High') returning id`);
  const { id } = await raise(raiser, { categoryId: Number(category?.id) });
  const before = (await readTicket(raiser, id))?.resolutionDueAt;
  const minutes = Object.fromEntries(targetFields.map(({ name, kind }) => [name, kind === 'response' ? '30' : '60']));
  await admin.call(ticketConfigApi.savePolicy, {
    policyId: policy?.id ?? 0,
    name: 'Usual',
    isDefault: true,
    pausesOnHold: true,
    ...minutes,
  } as never);
  expect((await readTicket(raiser, id))?.resolutionDueAt).toBe(before);
  const older = async () => (await admin.call(ticketConfigApi.policies, {})).policies[0]?.older;
  const waiting = (await older()) ?? 0;
  expect(waiting).toBeGreaterThan(0);
  const preview = await admin.call(ticketConfigApi.applyPolicy, { id: policy?.id ?? 0 });
  expect(preview).toMatchObject({ changed: waiting, isApplied: false });
  expect((await readTicket(raiser, id))?.resolutionDueAt).toBe(before);
  await admin.call(ticketConfigApi.applyPolicy, { id: policy?.id ?? 0, confirmToken: preview.confirmToken ?? '' });
  expect((await readTicket(raiser, id))?.resolutionDueAt).not.toBe(before);
  expect(await older()).toBe(0);
});

test('G3.1 a category without a department is refused beside its field', async () => {
  const values = await sampleOf(admin, categoryMaster);
  const refused = admin.call(categoryMaster.api.create, { ...values, departmentId: null } as never);
  await expect(refused).rejects.toMatchObject({
    code: 'invalid',
    fields: { departmentId: { id: '{label} is required.' } },
  });
  await expect(admin.call(categoryMaster.api.create, values as never)).resolves.toMatchObject({
    id: expect.any(Number),
  });
});

test('a category with open tickets stays in use until another one replaces it', async () => {
  const [old] = await school.sql(`select id, version from ticket_category where name = 'Taps'`);
  const [kept] = await school.sql(`select id from academic_department where name = 'Accounts'`);
  const [other] = await school.sql(`insert into ticket_category (name, department_id, priority)
    values ('Pipes', ${kept?.id}, 'High') returning id`);
  const one = { selection: { ids: [Number(old?.id)], isAll: false, query: {} }, isActive: false };
  await expect(admin.call(categoryMaster.api.setActive, one)).rejects.toMatchObject({ code: 'invalid' });
  const replaced = await admin.call(ticketConfigApi.replaceCategory, { id: Number(old?.id), byId: Number(other?.id) });
  expect(replaced.moved).toBe(1);
  const [ticket] = await school.sql(`select department_id, assignee_id from ticket where category_id = ${other?.id}`);
  expect(ticket).toEqual({ department_id: kept?.id, assignee_id: null });
  const [after] = await school.sql(`select is_active from ticket_category where id = ${old?.id}`);
  expect(after?.is_active).toBe(false);
  const department = { selection: { ids: [Number(kept?.id)], isAll: false, query: {} }, isActive: false };
  await expect(admin.call(departmentMaster.api.setActive, department)).rejects.toMatchObject({
    text: { id: 'This department has open tickets. Transfer them first.' },
  });
});

test('hours are tried out: each day of the time of a ticket, and the next seven days with their holidays', async () => {
  const [policy] = (await admin.call(ticketConfigApi.policies, {})).policies;
  const tried = await admin.call(ticketConfigApi.tryOut, {
    start: '2026-07-03T14:00',
    policyId: policy?.id ?? 0,
    priority: 'High',
  });
  // An hour from Friday, 14:00; the first answer after half an hour.
  expect(tried).toEqual({
    responseDueAt: '2026-07-03T09:00:00.000Z',
    resolutionDueAt: '2026-07-03T09:30:00.000Z',
    days: [{ day: '2026-07-03', spans: [{ from: '08:00', to: '16:00' }], minutes: 60, left: 0 }],
  });
  const late = await admin.call(ticketConfigApi.tryOut, {
    start: '2026-07-04T15:30',
    policyId: policy?.id ?? 0,
    priority: 'High',
  });
  expect(late.days.map(({ day, minutes, left }) => [day, minutes, left])).toEqual([
    ['2026-07-04', 30, 30],
    ['2026-07-05', 0, 30],
    ['2026-07-06', 30, 0],
  ]);
  expect(await admin.call(ticketConfigApi.week, {})).toHaveLength(7);
});
