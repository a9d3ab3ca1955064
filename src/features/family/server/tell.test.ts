import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { firstContacts, tellGuardians, waysOf } from '../api.ts';
import type { Urgency } from './tell.ts';

let school: School;
let section: number;
beforeAll(async () => {
  school = await openSchool();
  section = await openSection(school);
});
afterAll(() => school.close());

const set = (guardianId: number, values: string) =>
  school.sql(`update guardian set ${values} where id = ${guardianId}`);
const bond = (guardianId: number, studentId: number, values: string) =>
  school.sql(`update student_guardian set ${values} where guardian_id = ${guardianId} and student_id = ${studentId}`);

/** A guardian of these children who receives messages. */
async function adult(children: readonly number[], values: string, isPrimary = true) {
  const id = await raise(school, children, { firstName: 'Meera' }, { isPrimary });
  for (const child of children) await bond(id, child, 'receives_messages = true');
  await set(id, values);
  return id;
}

const pairsOf = (guardians: readonly number[], children: readonly number[]) =>
  guardians.flatMap((guardianId) => children.map((studentId) => ({ guardianId, studentId })));

/** The ways of guardians as words, or why there are none. */
async function reach(
  guardians: readonly number[],
  children: readonly number[],
  urgency: Urgency = 'Normal',
  kind = 'test',
  sends?: ('email' | 'sms')[],
) {
  const found = await waysOf(school.services, { kind, urgency, ...(sends && { sends }) }, pairsOf(guardians, children));
  return guardians.map((id) => {
    const { reason = 'nothing', ways = [] } = found.get(id) ?? {};
    return reason || ways.map(({ channel, recipient }) => `${channel} ${recipient}`).join(', ');
  });
}

test('what must be read goes by SMS before email, the rest by email before SMS, and an emergency by both', async () => {
  const child = await seat(school, section, 'Aarav');
  const both = await adult([child], `mobile = '9825000101', email = 'Meera@Family.example'`);
  const byUrgency = async (urgency: Urgency, sends?: ('email' | 'sms')[]) =>
    (await reach([both], [child], urgency, 'test', sends))[0];
  expect(await byUrgency('Must')).toBe('sms 9825000101');
  expect(await byUrgency('Normal')).toBe('email meera@family.example');
  expect(await byUrgency('Digest')).toBe('email meera@family.example');
  expect(await byUrgency('Emergency')).toBe('email meera@family.example, sms 9825000101');
  // A channel that the school does not allow is not tried.
  expect(await byUrgency('Normal', ['sms'])).toBe('sms 9825000101');
  expect(await byUrgency('Must', [])).toBe('No address');
  await set(both, `mobile = ''`);
  expect(await byUrgency('Must')).toBe('email meera@family.example');
});

test('nothing goes to adults who receive no messages, are barred or have died, but the link goes to all who see a child', async () => {
  const child = await seat(school, section, 'Aarav');
  const [silent, barred, late, none] = [
    await adult([child], `mobile = '9825000111'`),
    await adult([child], `mobile = '9825000112'`, false),
    await adult([child], `mobile = '9825000113'`, false),
    await adult([child], `mobile = ''`, false),
  ];
  await bond(silent, child, 'receives_messages = false');
  await bond(barred, child, 'is_barred = true, may_collect = false, receives_messages = false');
  await set(late, 'is_deceased = true');
  const quiet = 'Receives no messages';
  const all = [silent, barred, late, none];
  expect(await reach(all, [child])).toEqual([quiet, quiet, quiet, 'No address']);
  expect(await reach(all, [child], 'Normal', 'family.link')).toEqual(['sms 9825000111', quiet, quiet, 'No address']);
});

test('of two at one address the one who reads of at least the same children gets the message, of equals the first contact', async () => {
  const [aarav, diya] = [await seat(school, section, 'Aarav'), await seat(school, section, 'Diya')];
  const mobile = `mobile = '9825000121'`;
  await adult([diya], `mobile = '9825000129'`);
  const less = await adult([aarav], mobile);
  const more = await adult([aarav, diya], mobile, false);
  expect(await reach([more, less], [aarav, diya])).toEqual(['sms 9825000121', 'Same as']);
  // About Aarav alone both read the same.
  expect(await reach([more, less], [aarav])).toEqual(['Same as', 'sms 9825000121']);
  await set(less, `email = 'own@family.example'`);
  expect(await reach([more, less], [aarav, diya], 'Must')).toEqual(['sms 9825000121', 'Same as']);
  // In an emergency nobody else reads the email.
  expect(await reach([more, less], [aarav, diya], 'Emergency')).toEqual([
    'sms 9825000121',
    'email own@family.example, sms 9825000121',
  ]);
});

test('a link is not left out for an adult who sees less of the child on the page', async () => {
  const child = await seat(school, section, 'Aarav');
  const mobile = `mobile = '9825000131'`;
  const [first, second] = [await adult([child], mobile), await adult([child], mobile, false)];
  expect(await reach([first, second], [child], 'Must', 'family.link')).toEqual(['sms 9825000131', 'Same as']);
  await bond(first, child, `family_page = 'School matters'`);
  expect(await reach([first, second], [child], 'Must', 'family.link')).toEqual(['Same as', 'sms 9825000131']);
});

test('the first to call of those with an address is told of a child, and a repeated message is queued once', async () => {
  const child = await seat(school, section, 'Aarav');
  await adult([child], `mobile = ''`);
  const second = await adult([child], `mobile = '9825000141'`, false);
  const sending = { kind: 'fee.reminder', urgency: 'Must' } as const;
  const contacts = await firstContacts(school.services, sending, [child]);
  const way = contacts.get(child)?.way;
  if (!way) throw new Error('Nobody is told.');
  expect(way).toEqual({ guardianId: second, channel: 'sms', recipient: '9825000141' });
  for (let turn = 0; turn < 2; turn++)
    await school.services.db
      .transaction()
      .execute((db) =>
        tellGuardians({ ...school.context(), db }, sending, [{ way, subjectId: child, key: `test ${child}` }]),
      );
  expect(
    await school.sql(`select recipient, keeps_quiet, version from outbox where template = 'fee.reminder'`),
  ).toEqual([{ recipient: '9825000141', keeps_quiet: true, version: null }]);
});
