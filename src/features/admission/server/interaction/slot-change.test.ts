import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { doRuns, openSeats } from '#testing/seats.ts';
import { processApi } from '../../contract/process.ts';
import { slotApi } from '../../contract/slot.ts';
import { messages } from '../messages.ts';

let school: School;
let head: Person;
let office: Person;
let teacher: Person;
let seats: ReturnType<typeof openSeats>;
const day = '2027-02-12';

beforeAll(async () => {
  school = await openSchool();
  school.clock.now = new Date('2027-02-01T06:00:00Z');
  head = await school.person({ name: 'Hasmukh', sets: ['admissionHead'] });
  office = await school.person({ name: 'Meena', sets: ['office'] });
  teacher = await school.person({ name: 'Asha', sets: [] });
  seats = openSeats(school, head);
});
afterAll(() => school.close());

const withInteraction = () => seats.planned({ interaction: 'Interaction', total: 20 });
const place = { roomId: null, place: 'Office', onHoliday: true };

/** Plans slots of an assessor, and returns them. */
async function plan(ids: number[], over: object = {}) {
  const input = {
    ...{ selection: seats.chosen(ids), kind: 'Interaction', day, from: '10:00', minutes: 20, pause: 0, capacity: 1 },
    ...{ ...place, assessorId: teacher.staffId, secondAssessorId: null, thirdAssessorId: null },
    ...over,
  };
  const preview = await office.call(slotApi.plan, input as never);
  await office.call(slotApi.plan, { ...input, confirmToken: preview.confirmToken } as never);
  return preview;
}
const slotOf = async (id: number) => {
  const [row] = await school.sql(`select slot.id, slot.version from admission_slot slot
    join admission_interaction own on own.slot_id = slot.id where own.inquiry_id = ${id} order by slot.id desc limit 1`);
  return row as { id: number; version: number };
};
const move = async (id: number, over: object) => {
  const input = { ...(await slotOf(id)), day, ...place, ...over };
  const { confirmToken } = await office.call(slotApi.move, input as never);
  return office.call(slotApi.move, { ...input, confirmToken } as never);
};
const invitations = async (id: number) =>
  (await school.sql(`select id from outbox where template = 'admission.meeting' and subject_id = ${id}`)).length;
const read = (id: number, by = head) => by.call(processApi.read, { id });

test('the families read of a planned slot after its message was shown, and again when it moves', async () => {
  const { verified } = await withInteraction();
  const id = await verified();
  const { example } = await plan([id]);
  expect(example?.words).toMatch(/meeting on 12 Feb 2027 at 10:00: Office/);
  expect(await invitations(id)).toBe(0);
  await doRuns(school);
  expect(await invitations(id)).toBe(1);
  await move(id, { from: '11:00' });
  await doRuns(school);
  expect(await invitations(id)).toBe(2);
  expect((await read(id)).interactions).toMatchObject([
    { startsAt: expect.stringContaining('05:30'), status: 'Planned' },
  ]);
});

test('B42 a slot moves with all its children or with none: a clash of its assessor leaves it', async () => {
  const { verified } = await withInteraction();
  const [a = 0, b = 0, c = 0] = [await verified(), await verified(), await verified()];
  await plan([a, b], { from: '12:00', capacity: 2 });
  await plan([c], { from: '13:00' });
  await expect(move(a, { from: '12:50' })).rejects.toMatchObject({ fields: { assessorId: expect.anything() } });
  expect((await read(a)).interactions).toEqual((await read(a)).interactions);
  await move(a, { from: '14:00' });
  const times = await Promise.all([a, b].map(async (id) => (await read(id)).interactions[0]?.startsAt));
  expect(new Set(times).size).toBe(1);
});

test('a cancelled slot returns its children to their state before, and frees its room and its assessors', async () => {
  const { verified } = await withInteraction();
  const [a = 0, b = 0] = [await verified(), await verified()];
  await plan([a], { from: '15:00' });
  const input = await slotOf(a);
  const { confirmToken, children } = await office.call(slotApi.cancelSlot, input);
  expect(children).toHaveLength(1);
  await office.call(slotApi.cancelSlot, { ...input, confirmToken: confirmToken ?? '' });
  expect(await read(a)).toMatchObject({ state: 'Verified' });
  await plan([b], { from: '15:00' });
  expect(await read(b)).toMatchObject({ state: 'Interaction planned' });
});

test('B43 an assessor reads the child of an own slot without quota, decision and fee, and no other child', async () => {
  const { verified } = await withInteraction();
  const [mine = 0, other = 0] = [await verified(), await verified()];
  await plan([mine], { from: '16:00' });
  expect(await read(mine, teacher)).toMatchObject({
    quota: null,
    seat: null,
    decisions: [],
    payments: [],
    interactions: [{ may: { write: true, attend: false, cancel: false } }],
  });
  await expect(read(other, teacher)).rejects.toMatchObject({ code: 'not_found' });
  const { rows } = await teacher.call(slotApi.list, { day });
  expect(rows.every(({ assessors }) => assessors.includes('Asha'))).toBe(true);
  const [own] = (await read(mine, teacher)).interactions;
  const scored = { id: own?.id, recommendation: 'Recommended', score: 8, ofScore: 10, note: '' };
  await expect(teacher.call(slotApi.outcome, scored as never)).rejects.toMatchObject({
    fields: { score: expect.anything() },
  });
  await teacher.call(slotApi.outcome, { ...scored, score: null, ofScore: null } as never);
  expect((await read(mine, teacher)).interactions[0]?.own).toMatchObject({ recommendation: 'Recommended' });
});

test('an assessor has the meeting among the things to do from the day it is planned, and the slots open on its day', async () => {
  const { verified } = await withInteraction();
  const id = await verified();
  const assessor = await school.person({ name: 'Leela', sets: [] });
  await plan([id], { day: '2027-02-18', from: '09:00', assessorId: assessor.staffId });
  const todosOf = async (by: Person) =>
    (await by.call(dashboardApi.todo, {})).rows.filter((row) => row.kind === 'interaction' && row.id === id);
  expect(await todosOf(assessor)).toMatchObject([
    {
      when: 'soon',
      detail: { values: { day: '18 Feb 2027', time: '09:00' } },
      to: `admission/process-admission/${id}`,
    },
  ]);
  expect(await todosOf(office)).toEqual([]);
  expect(await assessor.call(slotApi.list, { day: '' })).toMatchObject({
    day: '2027-02-18',
    nextDay: '2027-02-18',
    rows: [{ children: [{ id }] }],
  });
  const elsewhere = await assessor.call(slotApi.list, { day: '2027-02-03' });
  expect(elsewhere).toMatchObject({ rows: [], nextDay: '2027-02-18', may: { plan: false } });
  expect(await office.call(slotApi.list, { day: '' })).toMatchObject({ day: '2027-02-01', nextDay: day });
  school.clock.now = new Date('2027-02-18T02:00:00Z');
  expect(await todosOf(assessor)).toMatchObject([{ when: 'today' }]);
  expect(await todosOf(office)).toMatchObject([{ when: 'today' }]);
  school.clock.now = new Date('2027-02-01T06:00:00Z');
});

test('a message about a meeting says it is cancelled only if it was, and is not sent once the meeting began', async () => {
  const { family } = await withInteraction();
  const { id } = await family();
  const said = async () => {
    const rendered = await messages['admission.meeting']?.render(school.services, id, null);
    return rendered && english(rendered.subject);
  };
  await plan([id], { day: '2027-02-19', from: '09:00' });
  expect(await said()).toMatch(/^Meeting about/);
  school.clock.now = new Date('2027-02-19T03:31:00Z');
  expect(await said()).toBeUndefined();
  const interactionId = (await read(id)).interactions[0]?.id ?? 0;
  await office.call(slotApi.attend, { id: interactionId, status: 'Came' });
  expect(await said()).toBeUndefined();
  await plan([id], { day: '2027-02-20', from: '09:00' });
  const input = await slotOf(id);
  const { confirmToken } = await office.call(slotApi.cancelSlot, input);
  await office.call(slotApi.cancelSlot, { ...input, confirmToken: confirmToken ?? '' });
  expect(await said()).toMatch(/is cancelled$/);
  school.clock.now = new Date('2027-02-20T03:31:00Z');
  expect(await said()).toBeUndefined();
  school.clock.now = new Date('2027-02-01T06:00:00Z');
});
