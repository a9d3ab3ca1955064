import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openSeats } from '#testing/seats.ts';
import { letterApi, writeLetter } from '../../contract/letter.ts';

let school: School;
let head: Person;
let office: Person;
let seats: ReturnType<typeof openSeats>;

beforeAll(async () => {
  school = await openSchool();
  head = await school.person({ name: 'Hasmukh', sets: ['admissionHead'] });
  office = await school.person({ name: 'Meena', sets: ['office'] });
  seats = openSeats(school, head);
});
afterAll(() => school.close());

const linkOf = async (id: number) => {
  const [row] = await school.sql(`select inquiry_no from admission_inquiry where id = ${id}`);
  return String(row?.inquiry_no);
};
const save = async (over: object) => {
  const offer = (await head.call(letterApi.texts, {})).find(({ kind }) => kind === 'Offer');
  return head.send({ method: 'PUT', url: '/api/process/letter-text', body: { ...offer, ...over } });
};

test('a sentence with a variable that has no value is left out of a letter', () => {
  const values = {
    child: 'Diya',
    grade: 'Grade 1',
    year: '2027-28',
    amount: '',
    replyBy: '8 Mar 2027',
    conditions: '',
  };
  const body = 'Dear parents,\n\nAnswer by {replyBy}. The fee is {amount}.\n\n{conditions}\n\nBest wishes to {child}';
  expect(writeLetter({ subject: 'Place in {grade}', body }, values)).toEqual({
    subject: 'Place in Grade 1',
    body: 'Dear parents,\n\nAnswer by 8 Mar 2027.\n\nBest wishes to Diya',
  });
});

test('a Hindi sentence, which ends with a danda, is left out without the rest of its paragraph', () => {
  const values = { child: 'दिया', grade: '', year: '', amount: '', replyBy: '8 Mar 2027', conditions: '' };
  const body = '{child} को प्रवेश मिला है। शुल्क {amount} है। {replyBy} तक उत्तर दें।';
  expect(writeLetter({ subject: 'प्रवेश', body }, values).body).toBe('दिया को प्रवेश मिला है। 8 Mar 2027 तक उत्तर दें।');
});

test('a letter with a variable that no letter has is refused', async () => {
  const { status, json } = await save({ body: 'Dear {parent}' });
  expect([status, json.error.fields.body]).toEqual([422, 'No letter has {parent}. Remove it.']);
});

test('a letter is shown before the release and keeps the words that it had then', async () => {
  const { verified } = await seats.planned();
  const id = await verified();
  await seats.decide('Offer', [id], { conditions: 'Bring the transfer certificate.' });
  await save({ body: 'Dear parents, pay {amount} by {replyBy}. {conditions}' });
  const preview = await seats.release([id]);
  expect(preview.letters).toMatchObject([
    {
      kind: 'Offer',
      count: 1,
      body: expect.stringMatching(/^Dear parents, pay ₹15,000.00 by .+\. Bring the transfer/),
    },
  ]);
  await save({ body: 'Other words' });
  expect((await office.send({ url: `/api/process/${id}/letter` })).status).toBe(200);
  const { words } = school.papers.last();
  expect(words).toContain('pay₹15,000.00by');
  expect(words).toContain((await linkOf(id)).replaceAll(' ', ''));
});

test('the letters of a selection are one file, without the applications that have no released decision', async () => {
  const { verified } = await seats.planned({ total: 5 });
  const [a = 0, b = 0, c = 0] = [await verified(), await verified(), await verified()];
  await seats.decide('Offer', [a]);
  await seats.decide('Reject', [b], { reasonId: await reason('Age') });
  await seats.release([a, b]);
  const body = seats.chosen([a, b, c]);
  expect((await office.send({ method: 'POST', url: '/api/process/letters', body })).status).toBe(200);
  expect(school.papers.last().data.letters).toHaveLength(2);
  const refused = await office.send({ method: 'POST', url: '/api/process/letters', body: seats.chosen([c]) });
  expect([refused.status, refused.json.error.message]).toEqual([409, 'None of these has a released decision.']);
});

const reason = async (name: string) => {
  const [row] = await school.sql(
    `select id from academic_lookup where kind = 'Reason not offered' and name = '${name}'`,
  );
  return Number(row?.id);
};

const news = (link: string, of = '') => school.send({ url: `/api/admission-news${of}?inquiryNo=${link}` });

test('B44 a decision is invisible to the family until its release, which sends one message', async () => {
  const planned = await seats.planned();
  const family = await planned.family();
  const { id } = family;
  await seats.decide('Offer', [id]);
  expect((await news(family.link)).json).toEqual({ meetings: [], letter: null, replyBy: '', due: 0, choice: null });
  await seats.release([id]);
  const { json } = await news(family.link);
  expect(json).toMatchObject({ letter: { subject: expect.any(String) }, due: 1_500_000 });
  expect(json.replyBy).toMatch(/^\d{4}-/);
  const count = `select count(*)::integer as n from outbox where template = 'admission.decision' and subject_id = ${id}`;
  expect(await school.sql(count)).toEqual([{ n: 1 }]);
  expect((await news(family.link, '/letter')).status).toBe(200);
});
