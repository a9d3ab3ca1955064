import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openSeats } from '#testing/seats.ts';
import { processApi } from '../../contract/process.ts';
import { processList } from '../../contract/process-list.ts';
import { reviewApi } from '../../contract/review.ts';
import { slotApi, slotRooms } from '../../contract/slot.ts';

let school: School;
let head: Person;
let office: Person;
let seats: ReturnType<typeof openSeats>;
let staffIds: number[];
const day = '2027-02-12';

beforeAll(async () => {
  school = await openSchool();
  school.clock.now = new Date('2027-02-01T06:00:00Z');
  head = await school.person({ name: 'Hasmukh', role: 'Staff', sets: ['admissionHead'] });
  office = await school.person({ name: 'Meena', role: 'Staff', sets: ['office'] });
  seats = openSeats(school, head);
  staffIds = [head.staffId, office.staffId].map(Number);
});
afterAll(() => school.close());

/** Plans slots of 20 minutes for children: preview, then the same with its token. */
async function plan(ids: number[], over: object = {}) {
  const input = {
    selection: seats.chosen(ids),
    kind: 'Interaction',
    day,
    from: '10:00',
    minutes: 20,
    pause: 0,
    capacity: 1,
    roomId: null,
    place: 'Office',
    assessorId: staffIds[0],
    secondAssessorId: null,
    thirdAssessorId: null,
    onHoliday: true,
    ...over,
  };
  const preview = await office.call(slotApi.plan, input as never);
  if (!preview.confirmToken) return preview;
  return office.call(slotApi.plan, { ...input, confirmToken: preview.confirmToken } as never);
}
const read = (id: number, by = head) => by.call(processApi.read, { id });
/** Does something on the morning of the slots. */
async function onDay<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  const before = school.clock.now;
  school.clock.now = new Date(`${day}T02:00:00Z`);
  try {
    return await act();
  } finally {
    school.clock.now = before;
  }
}
const withInteraction = () => seats.planned({ interaction: 'Interaction', total: 20 });

test('A3.3 slots that touch are planned one after the other, and a second slot of the assessor at that time is refused', async () => {
  const { verified } = await withInteraction();
  const [a = 0, b = 0, c = 0] = [await verified(), await verified(), await verified()];
  const planned = await plan([a, b]);
  expect(planned.slots.map(({ startsAt }) => startsAt)).toEqual([
    '2027-02-12T04:30:00.000Z',
    '2027-02-12T04:50:00.000Z',
  ]);
  expect(await read(a)).toMatchObject({ state: 'Interaction planned', interactions: [{ status: 'Planned' }] });
  await expect(plan([c], { from: '10:10' })).rejects.toMatchObject({ fields: { assessorId: expect.anything() } });
  await expect(plan([a], { from: '10:10', assessorId: staffIds[1] })).rejects.toMatchObject({
    fields: { from: expect.anything() },
  });
  await plan([c], { from: '10:40' });
  const { rows } = await office.call(slotApi.list, { day });
  expect(rows.map(({ children }) => children.length)).toEqual([1, 1, 1]);
});

test('the admission head and the office choose the room of a slot among the school’s rooms', async () => {
  const [room] = await school.sql(`insert into academic_room (branch_id, name, kind)
    select min(id), 'Slot room', 'Other' from academic_branch returning id`);
  for (const by of [head, office])
    expect((await by.call(slotRooms, {} as never)).map(({ id }) => id)).toContain(room?.id);
});

test('A3.4 an RTE application has no interaction, and neither has a grade without one', async () => {
  const { verified } = await withInteraction();
  const rte = await verified('RTE');
  expect(await plan([rte], { from: '12:00' })).toMatchObject({ slots: [], skipped: [{ id: rte }] });
  expect((await read(rte)).may.plan).toBe(false);
  const { verified: other } = await seats.planned();
  const id = await other();
  expect(await plan([id], { from: '12:00' })).toMatchObject({ slots: [], skipped: [{ id }] });
});

test('an offer waits for the interaction, and others’ outcomes are shown once the own one is stored', async () => {
  const { verified } = await withInteraction();
  const id = await verified();
  expect(await seats.decide('Offer', [id])).toMatchObject({ changed: 0, skippedCount: 1 });
  await plan([id], { from: '14:00', secondAssessorId: staffIds[1] });
  const interaction = (await read(id)).interactions[0]?.id ?? 0;
  await onDay(() => office.call(slotApi.attend, { id: interaction, status: 'Came' }));
  expect(await read(id)).toMatchObject({ state: 'Interaction done' });
  const mine = { id: interaction, recommendation: 'Recommended', score: null, ofScore: null, note: '' };
  await head.call(slotApi.outcome, mine as never);
  expect((await read(id, office)).interactions[0]).toMatchObject({ outcomes: [], hidden: 1 });
  await expect(office.call(slotApi.outcome, { ...mine, score: 8, ofScore: 10 } as never)).rejects.toMatchObject({
    fields: { score: expect.anything() },
  });
  await office.call(slotApi.outcome, mine as never);
  expect((await read(id, office)).interactions[0]?.outcomes).toHaveLength(2);
  expect(await seats.decide('Offer', [id])).toMatchObject({ changed: 1 });
});

test('attendance is refused before the day of the slot; an outcome ends its correction and the cancelling', async () => {
  const { verified } = await withInteraction();
  const id = await verified();
  await plan([id], { from: '17:00' });
  const interaction = (await read(id)).interactions[0]?.id ?? 0;
  const attend = (status: string) => office.call(slotApi.attend, { id: interaction, status } as never);
  await expect(attend('Came')).rejects.toMatchObject({
    code: 'conflict',
    text: { id: 'The interaction is on {day}. Enter it on that day.', values: { day: '12 Feb 2027' } },
  });
  expect(await read(id)).toMatchObject({ state: 'Interaction planned' });
  await onDay(async () => {
    await attend('No-show');
    expect((await read(id, office)).interactions).toMatchObject([{ status: 'No-show', may: { attend: true } }]);
    await attend('Came');
    expect((await read(id)).interactions).toMatchObject([{ status: 'Came' }]);
    await head.call(slotApi.outcome, {
      id: interaction,
      recommendation: 'Recommended',
      score: null,
      ofScore: null,
      note: '',
    });
    expect((await read(id, office)).interactions).toMatchObject([{ may: { attend: false } }]);
    await expect(attend('No-show')).rejects.toMatchObject({ code: 'conflict' });
    await expect(office.call(slotApi.cancel, { id: interaction })).rejects.toMatchObject({ code: 'conflict' });
    expect((await read(id)).interactions).toMatchObject([{ status: 'Came' }]);
  });
});

test('only an assessor without an outcome reads that the others’ are hidden', async () => {
  const { verified } = await withInteraction();
  const id = await verified();
  await plan([id], { from: '18:00', secondAssessorId: staffIds[1] });
  const interaction = (await read(id)).interactions[0]?.id ?? 0;
  const outcome = { id: interaction, recommendation: 'Recommended', score: null, ofScore: null, note: 'Quick' };
  await head.call(slotApi.outcome, outcome);
  const accountant = await school.person({ role: 'Staff', sets: ['accountant'] });
  const hiddenFrom = async (by: Person) => {
    const [own] = (await read(id, by)).interactions;
    return [own?.outcomes, own?.hidden];
  };
  expect(await hiddenFrom(office)).toEqual([[], 1]);
  expect(await hiddenFrom(accountant)).toEqual([[], 0]);
});

test('what comes next is to plan the interaction, by who may, until one is planned', async () => {
  const { verified } = await withInteraction();
  const id = await verified();
  const stepOf = async (by: Person, one: number) => (await by.call(reviewApi.read, { id: one })).nextStep;
  const principal = await school.person({ role: 'Staff', sets: ['principal'] });
  expect([await stepOf(head, id), await stepOf(office, id), await stepOf(principal, id)]).toEqual([
    ...['plan', 'plan', 'wait'],
  ]);
  expect((await read(id)).next).toBe('plan');
  await plan([id], { from: '08:00' });
  expect((await read(id)).next).toBe('meet');
  const { verified: other } = await seats.planned();
  const free = await other();
  expect([await stepOf(head, free), await stepOf(office, free)]).toEqual(['offer', 'wait']);
  expect((await read(free)).next).toBe('decide');
});

test('the interaction is next until its result is in, and only then the offer; a result says that the child attended', async () => {
  const { verified } = await withInteraction();
  const id = await verified();
  const nextOf = async (by = head) => (await read(id, by)).next;
  await plan([id], { from: '08:30' });
  const interaction = (await read(id)).interactions[0]?.id ?? 0;
  expect(await read(id)).toMatchObject({ next: 'meet', interactions: [{ may: { attend: false } }] });
  await onDay(async () => {
    expect([await nextOf(), await nextOf(office)]).toEqual(['result', 'attend']);
    await office.call(slotApi.attend, { id: interaction, status: 'No-show' });
    expect(await nextOf()).toBe('plan');
    await office.call(slotApi.attend, { id: interaction, status: 'Came' });
    expect(await nextOf()).toBe('result');
    const mine = { id: interaction, recommendation: 'Recommended', score: null, ofScore: null, note: '' };
    await head.call(slotApi.outcome, mine as never);
    expect(await nextOf()).toBe('decide');
    const other = await verified();
    await plan([other], { from: '09:30' });
    const planned = (await read(other)).interactions[0]?.id ?? 0;
    await head.call(slotApi.outcome, { ...mine, id: planned } as never);
    expect(await read(other)).toMatchObject({
      state: 'Interaction done',
      next: 'decide',
      interactions: [{ status: 'Came' }],
    });
  });
});

test('a cancelled interaction frees its slot and returns the form to its state before', async () => {
  const { verified } = await withInteraction();
  const id = await verified();
  await plan([id], { from: '16:00' });
  const [own] = (await read(id)).interactions;
  await office.call(slotApi.cancel, { id: own?.id ?? 0 });
  expect(await read(id)).toMatchObject({ state: 'Verified' });
  const [row] = await school.sql('select booked from admission_slot order by id desc limit 1');
  expect(row?.booked).toBe(0);
});

test('the list shows the score in percent to heads and filters by it, and not to accountants', async () => {
  const { id: seatId, verified } = await withInteraction();
  await school.sql(`update admission_seat set interaction = 'Assessment' where id = ${seatId}`);
  const id = await verified();
  await plan([id], { kind: 'Assessment', from: '09:00' });
  const interaction = (await read(id)).interactions[0]?.id ?? 0;
  await onDay(() => head.call(slotApi.attend, { id: interaction, status: 'Came' }));
  const outcome = { recommendation: 'Recommended', score: '16', ofScore: '20', note: '' };
  await head.call(slotApi.outcome, { id: interaction, ...outcome } as never);
  const rowOf = async (by: Person, query: object) =>
    (await by.call(processList.api.list, query as never)).rows.find((row) => row.id === id);
  expect(await rowOf(head, { score: '75 % and more' })).toMatchObject({
    score: 80,
    recommendation: 'Recommended',
    meetsOn: day,
  });
  expect(await rowOf(head, { score: '50 % to 75 %' })).toBeUndefined();
  const accountant = await school.person({ role: 'Staff', sets: ['accountant'] });
  expect(await rowOf(accountant, {})).toMatchObject({ score: null, recommendation: '' });
  expect(await rowOf(accountant, { score: '75 % and more' })).toBeUndefined();
  // An accountant cannot tell the best by the order either.
  const other = await verified();
  const orderOf = async (by: Person) => {
    const { rows } = await by.call(processList.api.list, { sort: '-score' } as never);
    return rows.map((row) => row.id).filter((listed) => [id, other].includes(listed));
  };
  expect(await orderOf(head)).toEqual([id, other]);
  expect(await orderOf(accountant)).toEqual([other, id]);
});
