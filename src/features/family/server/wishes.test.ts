import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sendMessage } from '#kit/server/messages/outbox.ts';
import { openFamilyPage, prove } from '#testing/family.ts';
import { openSchool, type School } from '#testing/school.ts';
import { contactMessages } from './contact-messages.ts';
import { tellGuardians, waysOf } from './tell.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

const usual = { channel: 'Usual', quietFrom: null, quietUntil: null, getsHomework: true, version: 0 };

/** A mother with a number and an address, on a proven phone. */
async function openMeera() {
  const meera = await openFamilyPage(school);
  await school.sql(`update guardian set email = 'meera@example.in' where id = ${meera.guardianId}`);
  await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${meera.guardianId}`);
  const phone = await prove(school, meera);
  const wish = (over: object) =>
    phone.send({ method: 'PUT', url: `/api/family/wish?family=${meera.link}`, body: { ...usual, ...over } });
  const read = async () => (await phone.send({ url: `/api/family/own?family=${meera.link}` })).json.wishes;
  const waysFor = async (kind: string, urgency: 'Must' | 'Normal' | 'Digest' | 'Emergency') => {
    const pairs = [{ guardianId: meera.guardianId, studentId: meera.child }];
    const reach = (await waysOf(school.context(), { kind, urgency }, pairs)).get(meera.guardianId);
    return [reach?.reason, reach?.ways.map(({ channel }) => channel)];
  };
  return { ...meera, phone, wish, read, waysFor };
}

test('FM24 a guardian chooses the way of messages, which comes first, and an emergency uses every way', async () => {
  const { wish, read, waysFor } = await openMeera();
  expect(await waysFor('attendance.absent', 'Must')).toEqual(['', ['sms']]);
  expect((await wish({ channel: 'Email' })).json).toEqual({ version: 1 });
  expect(await read()).toEqual({ ...usual, channel: 'Email', version: 1 });
  expect(await waysFor('attendance.absent', 'Must')).toEqual(['', ['email']]);
  expect(await waysFor('announcement.emergency', 'Emergency')).toEqual(['', ['email', 'sms']]);
  expect(await waysFor('family.link', 'Must')).toEqual(['', ['sms']]);
});

test('a way on which messages do not arrive is left out, whatever the guardian chose', async () => {
  const { guardianId, wish, waysFor } = await openMeera();
  await wish({ channel: 'Email' });
  await school.sql(`insert into message_trouble (guardian_id, channel, since, times, reason)
    values (${guardianId}, 'email', now(), 3, 'Absent')`);
  expect(await waysFor('attendance.absent', 'Must')).toEqual(['', ['sms']]);
});

test('FM24 homework can be muted, and never absence, fees or an announcement', async () => {
  const { wish, waysFor } = await openMeera();
  await wish({ getsHomework: false });
  for (const kind of ['homework.digest', 'homework.reminder'])
    expect(await waysFor(kind, 'Digest')).toEqual(['Muted', []]);
  for (const kind of ['attendance.absent', 'fee.due', 'announcement.notice'])
    expect(await waysFor(kind, 'Must')).toEqual(['', ['sms']]);
  await expect(school.sql(`update guardian_preference set muted = '{attendance.absent}'`)).rejects.toThrow('muted');
});

test('two phones that change it at once do not overwrite each other, and half of the hours is refused', async () => {
  const { wish } = await openMeera();
  const answers = await Promise.all([wish({ channel: 'Email' }), wish({ getsHomework: false })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const half = await wish({ quietFrom: 20, version: 1 });
  expect(Object.keys(half.json.error.fields)).toEqual(['quietUntil']);
});

test('a school without a gateway refuses text messages as the way', async () => {
  const { wish } = await openMeera();
  expect(Object.keys((await wish({ channel: 'SMS' })).json.error.fields)).toEqual(['channel']);
});

test('FM24 a digest is not sent in the own quiet hours, and a notice and an absence are', async () => {
  const { guardianId, wish } = await openMeera();
  await wish({ quietFrom: 18, quietUntil: 10 });
  const way = { guardianId, channel: 'sms', recipient: '9825000001' } as const;
  const sentAt = async (hour: string, urgency: 'Must' | 'Normal' | 'Digest') => {
    school.clock.now = new Date(`2025-09-16T${hour}:00+05:30`);
    await school.services.db
      .transaction()
      .execute((db) =>
        tellGuardians({ ...school.context(), db }, { kind: 'family.contact-changed', urgency }, [
          { way, subjectId: 1 },
        ]),
      );
    const [row] = await school.sql('select id from outbox order by id desc limit 1');
    await school.sql(`update outbox set queued_at = '${school.clock.now.toISOString()}' where id = ${row?.id}`);
    const kinds = { 'family.contact-changed': { ...contactMessages['family.contact-changed'], isFor: 'as queued' } };
    const words = { subject: 'a', paragraphs: [], language: 'en' };
    const template = { ...kinds['family.contact-changed'], render: async () => words };
    await sendMessage(
      school.services,
      { 'family.contact-changed': template as never },
      { sms: async () => undefined },
      Number(row?.id),
      { isLastTry: false } as never,
    );
    const [found] = await school.sql(
      `select status, to_char(not_before at time zone 'Asia/Kolkata', 'DD HH24:MI') as later from outbox where id = ${row?.id}`,
    );
    return found;
  };
  expect(await sentAt('19:00', 'Digest')).toEqual({ status: 'queued', later: '17 10:00' });
  expect(await sentAt('08:00', 'Digest')).toEqual({ status: 'queued', later: '16 10:00' });
  for (const urgency of ['Must', 'Normal'] as const)
    expect(await sentAt('08:00', urgency)).toMatchObject({ later: null });
  expect(await sentAt('12:00', 'Digest')).toMatchObject({ later: null });
});
