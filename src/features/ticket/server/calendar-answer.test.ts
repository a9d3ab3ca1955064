import { afterAll, beforeAll, expect, test } from 'vitest';
import { calendarApi } from '#features/calendar/contract/calendar.ts';
import { doEveryMinute } from '#kit/server/job/every-minute.ts';
import type { Person } from '#testing/browser.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { openTickets, raise, readTicket } from '#testing/tickets.ts';
import { ticketMinutes } from './minute.ts';

let school: School;
let admin: Person;
let raiser: Person;
let category: number;
const goTo = (moment: string) => {
  school.clock.now = new Date(moment);
};
beforeAll(async () => {
  school = await openOwnSchool();
  goTo('2026-07-07T12:00:00+05:30');
  const tickets = await openTickets(school);
  admin = await school.person({ role: 'Admin' });
  raiser = await tickets.member(tickets.accounts, { name: 'Asha' });
  const agent = await tickets.member(tickets.maintenance, { name: 'Ravi', sets: ['ticketAgent'] });
  category = await tickets.category('Computers', { assignee_id: agent.staffId });
});
afterAll(() => school.close());

async function setDay(day: string, kind: string) {
  const [year] = await school.sql(`select id from academic_year where '${day}' between starts_on and ends_on`);
  const academicYearId = Number(year?.id);
  const send = async (warned: string) =>
    admin.send({
      method: 'PUT',
      url: '/api/academic/calendar/day',
      body: {
        academicYearId,
        rowVersion: (await admin.call(calendarApi.read, { academicYearId })).rowVersion,
        ...{ from: day, to: day, kind, name: 'Rain', gradeId: null, warned },
      },
    });
  const asked = await send('');
  expect(asked.status).toBe(409);
  const { data } = asked.json.error;
  expect((await send(data.token)).status).toBe(200);
  return data.texts.map(({ values }: { values: object }) => values);
}

test('CM2 a day closed on the day before moves the due times of open tickets in the same act, and moves them back', async () => {
  // Raised on Tuesday at noon with 16 hours: due on Thursday at noon.
  const { id } = await raise(raiser, { categoryId: category });
  const due = async () => (await readTicket(raiser, id))?.resolutionDueAt;
  const atNoon = (day: number) => new Date(`2026-07-${String(day).padStart(2, '0')}T12:00:00+05:30`).toISOString();
  expect(await due()).toBe(atNoon(9));
  goTo('2026-07-08T10:00:00+05:30');
  expect(await setDay('2026-07-09', 'Holiday')).toEqual([{ n: 1 }]);
  expect(await due()).toBe(atNoon(10));
  goTo('2026-07-09T15:00:00+05:30');
  for (const task of ticketMinutes) await doEveryMinute(school.services, task);
  expect(await school.sql(`select level from ticket_escalation where ticket_id = ${id} and level > 1`)).toEqual([]);
  expect(await setDay('2026-07-09', 'Working day')).toEqual([{ n: 1 }]);
  expect(await due()).toBe(atNoon(9));
});
