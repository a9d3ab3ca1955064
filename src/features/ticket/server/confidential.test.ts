import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { searchApi } from '#features/search/contract.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, paper, type School } from '#testing/school.ts';
import { openTickets, raise, readTicket, reply } from '#testing/tickets.ts';
import { byMeList, toMeList } from '../contract/list.ts';
import { ticketApi } from '../contract/ticket.ts';

let school: School;
let tickets: Awaited<ReturnType<typeof openTickets>>;
let raiser: Person;
let owner: Person;
let accused: Person;
let strangers: Person[];
let id: number;
let ticketNo: string;
let file: string;
beforeAll(async () => {
  school = await openSchool();
  tickets = await openTickets(school);
  raiser = await tickets.member(tickets.accounts, { name: 'Asha' });
  owner = await tickets.member(tickets.maintenance, { name: 'Hema' });
  accused = await tickets.member(tickets.maintenance, { name: 'Ravi', sets: ['ticketAgent', 'principal'] });
  strangers = [
    accused,
    await tickets.member(tickets.maintenance, { name: 'Mohan', sets: ['ticketAgent'] }),
    await tickets.member(tickets.accounts, { name: 'Prem', sets: ['principal'] }),
    await tickets.member(tickets.accounts, { name: 'Meena', sets: ['office', 'hr', 'counsellor', 'nurse'] }),
  ];
  await school.sql(`update academic_department set staff_id = ${owner.staffId} where id = ${tickets.maintenance}`);
  const category = await tickets.category('Safety', { is_confidential: true, assignee_id: accused.staffId });
  const draft = { categoryId: category, subject: 'Quarrelsome zebra', aboutStaffId: accused.staffId };
  ({ id, ticketNo } = await raise(raiser, draft, { file1: await paper('Proof') }));
  await reply(owner, id, 'I speak with both.');
  file = (await readTicket(raiser, id))?.files[0]?.id ?? '';
});
afterAll(() => school.close());

test('a confidential ticket about the person of its category goes to the head of the department', async () => {
  expect(await readTicket(raiser, id)).toMatchObject({ isConfidential: true, assignee: { name: 'Hema' } });
  const version = (await readTicket(owner, id))?.version ?? 0;
  const to = { id, version, staffId: accused.staffId, departmentId: null, reason: 'Yours' };
  await expect(owner.call(ticketApi.transfer, to)).rejects.toMatchObject({ fields: { staffId: expect.anything() } });
  const queue = { id, version, staffId: null, departmentId: tickets.accounts, reason: 'Yours' };
  await expect(owner.call(ticketApi.transfer, queue)).rejects.toMatchObject({ code: 'invalid' });
});

test('G1.4 to others a confidential ticket answers like an unknown number, and its number, subject and file are nowhere', async () => {
  const unknown = 2_000_000;
  for (const person of strangers) {
    for (const [method, path, body] of [
      ['GET', 'record', undefined],
      ['GET', 'history?before=', undefined],
      ['GET', `file/${file}`, undefined],
      ['GET', 'due?priority=Low', undefined],
      ['POST', 'accept', {}],
      ['POST', 'resume', { version: 1 }],
      ['POST', 'resolve', { version: 1, text: 'x' }],
      ['POST', 'confirm', {}],
      ['POST', 'transfer', { version: 1, staffId: person.staffId, reason: 'x' }],
      ['POST', 'confidential', { version: 1, isConfidential: false }],
    ] as const) {
      const of = (number: number) => person.send({ method, url: `/api/ticket/${number}/${path}`, body });
      const [real, none] = [await of(id), await of(unknown)];
      expect([person.name, path, real.status, real.text]).toEqual([person.name, path, 404, none.text]);
    }
    const lists = [byMeList, toMeList].flatMap(({ path, tabs }) =>
      ['', ...Object.keys(tabs)].map((tab) => `${path}?tab=${tab}`),
    );
    for (const url of [
      ...lists,
      `/ticket/to-me?tab=all&search=zebra`,
      `/ticket/to-me/export?as=csv&tab=all`,
      `/ticket/by-me/export?as=csv&ids=${id}`,
      `/ticket/to-me/export?as=csv&ids=${id}`,
      '/ticket/similar?subject=Quarrelsome%20zebra',
      `/staff/${accused.staffId}/card/ticket?from=&to=`,
    ]) {
      const { text } = await person.send({ url: `/api${url}` });
      expect([person.name, url, text.includes('zebra'), text.includes(ticketNo)]).toEqual([
        person.name,
        url,
        false,
        false,
      ]);
    }
    const { all } = await person.call(toMeList.api.counts, {});
    expect(all?.total).toBe(0);
    expect((await person.call(dashboardApi.badges, {}))['ticket/ticket-entry-assign-to-me']).toBe(0);
    for (const search of ['zebra', ticketNo]) {
      const found = await person.call(searchApi.find, { search });
      expect(JSON.stringify(found)).not.toContain(ticketNo);
    }
    const notices = await school.sql(`select 1 from notice where account_id = ${person.id} and path like '%/${id}'`);
    expect(notices).toEqual([]);
  }
  expect(JSON.stringify(await owner.call(searchApi.find, { search: 'zebra' }))).toContain(ticketNo);
});

test('a ticket that becomes confidential is gone for its department with its unread notices, and its raiser opens it again', async () => {
  const open = await tickets.category('Repairs');
  const other = await raise(raiser, { categoryId: open });
  const [, agent] = strangers as [Person, Person];
  await agent.call(ticketApi.accept, { id: other.id });
  expect(await readTicket(accused, other.id)).toBeDefined();
  const version = (await readTicket(raiser, other.id))?.version ?? 0;
  await raiser.call(ticketApi.setConfidential, { id: other.id, version, isConfidential: true });
  expect(await readTicket(accused, other.id)).toBeUndefined();
  expect(await readTicket(agent, other.id)).toBeDefined();
  expect(await school.sql(`select 1 from notice where path like '%/${other.id}' and read_at is null`)).toEqual([]);
  const now = (await readTicket(agent, other.id))?.version ?? 0;
  const opened = { id: other.id, version: now, isConfidential: false };
  await expect(agent.call(ticketApi.setConfidential, opened)).rejects.toMatchObject({ code: 'forbidden' });
  await raiser.call(ticketApi.setConfidential, opened);
  expect(await readTicket(accused, other.id)).toBeDefined();
});

test('of the 36 steps between states the database takes 13, and it keeps what was said', async () => {
  const category = await tickets.category('Steps', { assignee_id: owner.staffId });
  const { id: one } = await raise(raiser, { categoryId: category });
  await reply(owner, one, 'Kept.');
  const [reason] = await school.sql('select min(id) as id from ticket_hold_reason');
  const sets: Record<string, string> = {
    Open: '',
    'In progress': '',
    'On hold': `, hold_reason_id = ${reason?.id}`,
    Resolved: `, resolution = 'x', resolved_at = now()`,
    Closed: `, resolution = 'x', resolved_at = now(), closed_at = now()`,
    Cancelled: `, cancel_reason = 'x'`,
  };
  const clear = `hold_reason_id = null, resolution = '', resolved_at = null, closes_at = null, closed_at = null, cancel_reason = '',
    next_check_at = null, rating = null`;
  const set = (state: string) => {
    const columns = sets[state] ?? '';
    const named = columns.split(',').map((part) => part.trim().split(' ')[0]);
    const rest = clear.split(',').filter((part) => !named.includes(part.trim().split(' ')[0]));
    return `${rest.join(',')}${columns}, status = '${state}'`;
  };
  const taken: string[] = [];
  for (const from of Object.keys(sets)) {
    for (const to of Object.keys(sets)) {
      if (from === to) continue;
      await school.sql(`set session_replication_role = replica; update ticket set ${set(from)} where id = ${one};
        set session_replication_role = origin`);
      const count = ['Resolved', 'Closed'].includes(from) && to === 'In progress' ? 1 : 0;
      const pause =
        to === 'On hold'
          ? `insert into ticket_pause (ticket_id, reason_id, from_at) values (${one}, ${reason?.id}, now());`
          : '';
      const undone = await school
        .sql(`do $$ begin ${pause} update ticket set ${set(to)}, reopen_count = reopen_count + ${count} where id = ${one};
          set constraints all immediate; raise exception 'undo'; end $$`)
        .catch((error: { constraint?: string; message: string }) => error);
      const { constraint, message } = undone as { constraint?: string; message: string };
      if (message === 'undo') taken.push(`${from} → ${to}`);
      else expect([from, to, constraint]).toEqual([from, to, 'ticket_state']);
    }
  }
  expect(taken).toHaveLength(13);
  const { db } = school.services;
  for (const statement of [
    sql`update ticket_comment set body = body`,
    sql`delete from ticket_comment`,
    sql`update ticket_assignment set reason = reason`,
    sql`update ticket_escalation set at = at`,
    sql`delete from ticket`,
  ])
    await expect(statement.execute(db)).rejects.toThrow('permission denied');
});
