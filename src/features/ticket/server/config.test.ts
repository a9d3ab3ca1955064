import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { leavingApi } from '#features/staff/contract/leaving.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openTickets, raise, readTicket } from '#testing/tickets.ts';
import { ticketConfigApi } from '../contract/config.ts';
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
