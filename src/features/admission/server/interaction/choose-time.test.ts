import { afterAll, beforeAll, expect, test } from 'vitest';
import { newsApi } from '#features/admission-form/contract/news.ts';
import { timeApi, timeMessages } from '#features/admission-form/contract/time.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { doRuns, openSeats } from '#testing/seats.ts';
import { processApi } from '../../contract/process.ts';
import { slotApi } from '../../contract/slot.ts';
import { timeChoiceApi } from '../../contract/time-choice.ts';

let school: School;
let head: Person;
let office: Person;
let teacher: Person;
let seats: ReturnType<typeof openSeats>;
let planned: Awaited<ReturnType<ReturnType<typeof openSeats>['planned']>>;
let minute = 0;

beforeAll(async () => {
  school = await openSchool();
  school.clock.now = new Date('2027-02-01T06:00:00Z');
  head = await school.person({ name: 'Hasmukh', sets: ['admissionHead'] });
  office = await school.person({ name: 'Meena', sets: ['office'] });
  teacher = await school.person({ name: 'Asha', sets: [] });
  seats = openSeats(school, head);
  planned = await seats.planned({ interaction: 'Interaction', total: 60 });
});
afterAll(() => school.close());

type Family = Awaited<ReturnType<typeof planned.family>>;

/** Lets families choose from slots of 20 minutes on a day of its own. */
async function offer(ids: number[], over: object = {}) {
  minute++;
  const day = new Date(Date.parse('2027-02-10T00:00:00Z') + minute * 86_400_000).toISOString().slice(0, 10);
  const input = {
    ...{
      selection: seats.chosen(ids),
      kind: 'Interaction',
      day,
      secondDay: '',
      thirdDay: '',
      from: '10:00',
      to: '11:00',
    },
    ...{ minutes: 20, pause: 0, capacity: 1, roomId: null, place: 'Office', onHoliday: true },
    ...{ assessorId: teacher.staffId, secondAssessorId: null, thirdAssessorId: null },
    ...{ untilDay: '2027-02-05', untilHour: '18:00' },
    ...over,
  };
  const preview = await office.call(timeChoiceApi.offer, input as never);
  if (preview.confirmToken)
    await office.call(timeChoiceApi.offer, { ...input, confirmToken: preview.confirmToken } as never);
  return preview;
}

const path = `/api${timeApi.times.path}`;
const get = async (link: string, url = path) => {
  const answer = await school.send({ url: `${url}?inquiryNo=${link}` });
  return { status: answer.status, text: answer.text, body: JSON.parse(answer.text) };
};
const times = async ({ link }: Family) =>
  (await get(link)).body as { id: number; startsAt: string; endsAt: string; place: string }[];
const news = async ({ link }: Family) => (await get(link, `/api${newsApi.read.path}`)).body;
const choose = async ({ link }: { link: string }, slotId: number) => {
  const answer = await school.send({ method: 'POST', url: `${path}?inquiryNo=${link}`, body: { slotId } });
  return { status: answer.status, text: answer.text, body: JSON.parse(answer.text) };
};
const read = (id: number) => head.call(processApi.read, { id });
const queued = async (id: number, template = 'admission.meeting') =>
  (await school.sql(`select id from outbox where template = '${template}' and subject_id = ${id}`)).length;
const choiceOf = async (id: number) => {
  const rows = await office.call(timeChoiceApi.list, {});
  const found = rows.find(({ families }) => families.some((one) => one.id === id));
  if (!found) throw new Error('The choice is not listed.');
  return found;
};

test('a family is asked to choose a time, reads the free ones and has one; the office sees which', async () => {
  const family = await planned.family();
  const preview = await offer([family.id]);
  expect(preview).toMatchObject({
    places: 3,
    families: 1,
    example: { words: expect.stringContaining('Choose a time by 5 Feb 2027, 18:00') },
  });
  expect(await queued(family.id, 'admission.choose-time')).toBe(0);
  await doRuns(school);
  expect(await queued(family.id, 'admission.choose-time')).toBe(1);
  expect(await news(family)).toMatchObject({
    meetings: [],
    choice: { until: '2027-02-05T12:30:00.000Z', isChosen: false },
  });
  const free = await times(family);
  expect(free).toHaveLength(3);
  expect(await choiceOf(family.id)).toMatchObject({
    places: 3,
    free: 3,
    families: [{ startsAt: '', isChosen: false }],
  });

  const [, second] = free;
  const chosen = await choose(family, second?.id ?? 0);
  expect(chosen.body).toEqual({ startsAt: second?.startsAt, endsAt: second?.endsAt, place: 'Office' });
  expect(await read(family.id)).toMatchObject({ state: 'Interaction planned', interactions: [{ status: 'Planned' }] });
  expect(await news(family)).toMatchObject({ meetings: [{ place: 'Office' }], choice: { isChosen: true } });
  expect(await times(family)).toHaveLength(2);
  expect(await choiceOf(family.id)).toMatchObject({
    free: 2,
    families: [{ isChosen: true, startsAt: second?.startsAt }],
  });
  const [logged] = await school.sql(
    `select actor, details from audit where action = 'admission.interaction.planned' and entity_id = ${family.id}`,
  );
  expect(logged).toMatchObject({ actor: 'Parent', details: { Kind: 'Interaction' } });
});

test('a second press changes nothing, and one message says the time that was chosen last', async () => {
  const family = await planned.family();
  await offer([family.id]);
  const [a, b] = await times(family);
  await choose(family, a?.id ?? 0);
  const again = await choose(family, a?.id ?? 0);
  expect([again.status, again.body.startsAt]).toEqual([200, a?.startsAt]);
  expect(await queued(family.id)).toBe(1);
  expect((await choose(family, b?.id ?? 0)).status).toBe(200);
  expect((await choose(family, a?.id ?? 0)).status).toBe(200);
  const { interactions } = await read(family.id);
  expect(interactions.filter(({ status }) => status === 'Planned')).toMatchObject([{ startsAt: a?.startsAt }]);
  const [slots] = await school.sql(`select sum(booked)::integer as booked from admission_slot
    where choice_id = (select choice_id from admission_time_choice_family where inquiry_id = ${family.id})`);
  expect(slots).toEqual({ booked: 1 });
});

test('of two families at one time the first has it; the other reads three that are free', async () => {
  const [a, b] = [await planned.family(), await planned.family()];
  await offer([a.id, b.id], { to: '12:00' });
  const [slot] = await times(a);
  const answers = await Promise.all([choose(a, slot?.id ?? 0), choose(b, slot?.id ?? 0)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const lost = answers.find(({ status }) => status === 409);
  expect(lost?.text).toContain('This time is no longer free. Free on');
  expect(lost?.text).toContain('10:20, 10:40, 11:00');
});

test('two families that change places with each other both have a time', async () => {
  const [a, b] = [await planned.family(), await planned.family()];
  await offer([a.id, b.id]);
  const [one, two, three] = (await times(a)).map(({ id }) => id);
  await choose(a, one ?? 0);
  await choose(b, two ?? 0);
  await Promise.all([choose(a, three ?? 0), choose(b, one ?? 0), choose(a, two ?? 0)]);
  const [left] = await school.sql(`select count(*)::integer as planned from admission_interaction
    where inquiry_id in (${a.id}, ${b.id}) and status = 'Planned'`);
  expect(left).toEqual({ planned: 2 });
});

test('a time is not had by a family that was not asked, nor one that is not offered: not_found, byte for byte', async () => {
  const [asked, other] = [await planned.family(), await planned.family()];
  await offer([asked.id]);
  const [slot] = await times(asked);
  expect(await times(other)).toEqual([]);
  const [foreign, none, dead] = [
    await choose(other, slot?.id ?? 0),
    await choose(other, 2_000_000_000),
    await choose(asked, 2_000_000_000),
  ];
  expect(foreign.status).toBe(404);
  expect([none.text, dead.text]).toEqual([foreign.text, foreign.text]);
  expect((await times(asked)).length).toBe(3);
});

test('a withdrawn time, an ended choice, a decided form and a near meeting are refused, each in its words', async () => {
  const family = await planned.family();
  await offer([family.id]);
  const [a, b, c] = await times(family);
  const withdraw = async (id = 0) => {
    const [slot] = await school.sql(`select id, version from admission_slot where id = ${id}`);
    const { confirmToken } = await office.call(slotApi.cancelSlot, slot as never);
    await office.call(slotApi.cancelSlot, { ...slot, confirmToken } as never);
  };
  await withdraw(a?.id);
  expect((await choose(family, a?.id ?? 0)).text).toContain('10:20, 10:40');

  await school.sql(`update admission_inquiry set state = 'Rejected' where id = ${family.id}`);
  expect((await choose(family, b?.id ?? 0)).text).toContain(english(timeMessages.closed));
  expect(await news(family)).toMatchObject({ choice: null });
  await school.sql(`update admission_inquiry set state = 'Verified', held_kind = null where id = ${family.id}`);

  expect((await choose(family, b?.id ?? 0)).status).toBe(200);
  const before = school.clock.now;
  await school.sql(`update admission_time_choice set until = '2027-05-01'
    where id = (select choice_id from admission_slot where id = ${b?.id})`);
  school.clock.now = new Date(Date.parse(b?.startsAt ?? '') - 11 * 3_600_000);
  expect((await choose(family, c?.id ?? 0)).text).toContain(english(timeMessages.late));
  expect(await news(family)).toMatchObject({ choice: null });
  school.clock.now = new Date(Date.parse(b?.startsAt ?? '') - 13 * 3_600_000);
  expect((await choose(family, c?.id ?? 0)).status).toBe(200);
  school.clock.now = before;

  const late = await planned.family();
  await offer([late.id]);
  const [slot] = await times(late);
  school.clock.now = new Date('2027-02-05T12:30:00Z');
  expect((await choose(late, slot?.id ?? 0)).text).toContain(english(timeMessages.over));
  expect(await times(late)).toEqual([]);
  school.clock.now = before;
});

test('the office reminds who has not chosen, then ends the choice: free slots go, chosen ones remain', async () => {
  const [a, b] = [await planned.family(), await planned.family()];
  await offer([a.id, b.id]);
  await doRuns(school);
  const [slot] = await times(a);
  await choose(a, slot?.id ?? 0);
  const { id } = await choiceOf(b.id);
  const reminded = await office.call(timeChoiceApi.remind, { id });
  expect(reminded.children).toHaveLength(1);
  await office.call(timeChoiceApi.remind, { id, confirmToken: reminded.confirmToken ?? '' });
  await doRuns(school);
  expect([await queued(a.id, 'admission.choose-time'), await queued(b.id, 'admission.choose-time')]).toEqual([1, 2]);
  const ending = await office.call(timeChoiceApi.end, { id });
  expect(ending).toMatchObject({ slots: 2, children: [expect.any(String)] });
  await office.call(timeChoiceApi.end, { id, confirmToken: ending.confirmToken ?? '' });
  expect(await times(b)).toEqual([]);
  expect(await read(a.id)).toMatchObject({ state: 'Interaction planned' });
  expect(await choiceOf(b.id)).toMatchObject({ isOpen: false, places: 1, free: 0, may: { remind: false, end: false } });
  const [staff] = await school.sql(`select count(*)::integer as kept from admission_slot_assessor assessor
    join admission_slot slot on slot.id = assessor.slot_id where slot.choice_id = ${id}`);
  expect(staff).toEqual({ kept: 1 });
});

test('a form without an interaction, and one with a time, are not asked; a day that is too late is refused', async () => {
  const [free, withTime, rte] = [await planned.verified(), await planned.family(), await planned.verified('RTE')];
  await offer([withTime.id]);
  const [slot] = await times(withTime);
  await choose(withTime, slot?.id ?? 0);
  const preview = await offer([free, withTime.id, rte]);
  expect(preview).toMatchObject({ families: 1 });
  expect(preview.skipped.map(({ id }) => id).toSorted()).toEqual([withTime.id, rte].toSorted());
  await expect(offer([free], { untilDay: '2027-06-01' })).rejects.toMatchObject({
    fields: { untilDay: expect.anything() },
  });
  await expect(offer([free], { to: '10:10' })).rejects.toMatchObject({ fields: { to: expect.anything() } });
});
