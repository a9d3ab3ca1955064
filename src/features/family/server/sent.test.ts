import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFamilyPage } from '#testing/family.ts';
import { openSchool, type School } from '#testing/school.ts';
import { linkApi } from '../contract/link.ts';
import { sentApi } from '../contract/sent.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

test('the office reads which messages went to a guardian and whether they arrived, and not what they say', async () => {
  const [{ guardianId: id }, other] = [await openFamilyPage(school), await openFamilyPage(school)];
  const office = await school.person({ sets: ['office'] });
  await office.call(linkApi.send, { id, channel: 'SMS' });
  const read = async (of = id) => (await office.call(sentApi.list, { id: of })).rows;
  expect(await read()).toEqual([
    {
      id: expect.any(Number),
      at: expect.any(String),
      when: expect.anything(),
      channel: 'SMS',
      state: 'Waiting',
      reason: '',
    },
  ]);
  const become = (values: string) => school.sql(`update outbox set ${values} where reader_id = ${id}`);
  await become(`status = 'sent', recipient = null, sent_at = now()`);
  expect((await read())[0]).toMatchObject({ state: 'Sent' });
  await become(`delivery = 'Failed', delivery_reason = 'Absent subscriber'`);
  expect((await read())[0]).toMatchObject({ state: 'Did not arrive', reason: 'Absent subscriber' });
  await become(`delivery = 'Delivered'`);
  expect((await read())[0]).toMatchObject({ state: 'Arrived', reason: '' });
  expect(await read(other.guardianId)).toEqual([]);
});
