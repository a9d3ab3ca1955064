import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { examples } from '#testing/examples.ts';
import { openAdmission } from '#testing/open-admission.ts';
import { openSchool, type School } from '#testing/school.ts';
import { detourOf } from '#testing/senders.ts';
import { allMessages } from './features.server.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ role: 'Admin', name: 'Asha' });
  await openAdmission(school);
});
afterAll(() => school.close());

const all = Object.values(examples).flatMap(({ messages = {} }) => Object.entries(messages));

test('Y2 every message has an example that says whether it follows a new address', async () => {
  const named = new Set(all.map(([name]) => name));
  const without = Object.keys(allMessages).filter((name) => !named.has(name));
  expect(without.map((name) => `${name} needs an example in messages of its feature’s examples.ts.`)).toEqual([]);
  expect([...named].filter((name) => !(name in allMessages))).toEqual([]);
});

test.each(all)('Y2 %s is not sent to an address that changed after it was queued, or says so', async (name, make) => {
  const { change, recipient = '', version = null, subjectId } = await make(school, admin);
  const isFor = allMessages[name]?.isFor;
  if (!isFor || isFor === 'as queued' || change === undefined) {
    expect([name, isFor, change]).toEqual([name, 'as queued', undefined]);
    return;
  }
  const message = { subjectId, recipient, version };
  expect(await isFor(school.services, message)).toBe(true);
  await school.sql(change);
  expect(await isFor(school.services, message)).toBe(false);
  if (change.startsWith('update guardian')) expect(detourOf(name)).toBe('');
});
