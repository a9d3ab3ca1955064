import { sql } from 'kysely';
import { childrenOf, linkOf, shortNames, tellGuardians, waysOf } from '#features/family/api.ts';
import { AppError } from '#kit/contract/errors.ts';
import { onDay, type Text, text } from '#kit/contract/text.ts';
import type { Services, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readSettings } from '#kit/server/settings.ts';
import { remindApi } from '../contract/remind.ts';
import { homeworkGivers, homeworkMessages } from '../contract/words.ts';
import { lockDelivery } from './delivery.ts';
import { type Listed, readRoster } from './roster.ts';
import { digestBySms, tellsFamilies } from './settings.ts';

const isPending = ({ standing, status }: Listed) =>
  standing !== 'Not on the list' && (status === 'Pending' || status === 'Missing' || status === 'Incomplete');

const remind: Handler<typeof remindApi.remind> = (ctx, { id, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const { db, now } = ctx;
    // The lock of the delivery: of two who press at once the second finds the first one's reminders.
    const { given, content } = await lockDelivery(ctx, { id }, { access: homeworkGivers });
    if (given.shownState !== 'Published') throw new AppError('conflict', homeworkMessages.notPublished);
    const { isTold, isBySms } = await readSettings(ctx, { isTold: tellsFamilies, isBySms: digestBySms });
    if (!isTold) throw new AppError('conflict', homeworkMessages.silent);
    const today = toLocalDate(now());
    const past = await db
      .selectFrom('homework_reminder')
      .where('homework_section_id', '=', id)
      .where('day', '=', today)
      .select('id')
      .limit(1)
      .executeTakeFirst();
    if (past) throw new AppError('conflict', homeworkMessages.reminded);
    const pending = (await readRoster(ctx, id, today)).filter(isPending).map(({ studentId }) => studentId);
    if (pending.length === 0) throw new AppError('conflict', homeworkMessages.allSubmitted);
    const { rows: pairs } = await sql<{ guardianId: number; studentId: number }>`
      select pair.guardian_id as "guardianId", pair.student_id as "studentId" from family_pairs(${today}) pair
      where pair.receives_messages and pair.student_id = any(${pending}::integer[])
      order by pair.guardian_id, pair.student_id`.execute(db);
    const sending = { kind: 'homework.reminder', urgency: 'Digest' } as const;
    const reached = await waysOf(ctx, { ...sending, sends: isBySms ? ['email', 'sms'] : ['email'] }, pairs);
    const ways = [...reached.values()].flatMap(({ ways: [way] }) => way ?? []);
    const unreached = [...reached.values()].filter(({ reason }) => reason !== '' && reason !== 'Same as').length;
    const answer = { children: pending.length, guardians: ways.length, unreached };
    const details = { title: content.title, children: pending.length, guardians: ways.length };
    await audit(ctx, { action: 'homework.reminded', entity: 'homework_section', entityId: id, details });
    await send(ctx, { id, today, sending, ways });
    return { answer, basis: [id, today, pending, ways], isRefused: ways.length === 0 };
  });

interface Sent {
  id: number;
  today: string;
  sending: { kind: 'homework.reminder'; urgency: 'Digest' };
  ways: Parameters<typeof tellGuardians>[2][number]['way'][];
}

async function send(ctx: UserContext, { id, today, sending, ways }: Sent) {
  if (ways.length === 0) return;
  const reminders = await ctx.db
    .insertInto('homework_reminder')
    .values(ways.map(({ guardianId }) => ({ homework_section_id: id, guardian_id: guardianId, day: today })))
    .returning(['id', 'guardian_id'])
    .execute();
  const told = ways.flatMap((way) => {
    const own = reminders.find(({ guardian_id }) => guardian_id === way.guardianId);
    return own ? [{ way, subjectId: own.id, key: `homework.reminder ${own.id}` }] : [];
  });
  await tellGuardians(ctx, { ...sending, carriesLink: true }, told);
}

export const remindRoutes = routes(remindApi, { remind });

interface Words {
  school: string;
  children: string | Text;
  subject: string;
  title: string;
  /** The children by due day: some have more time. */
  dues: readonly { children: string | Text; dueOn: string }[];
  link: string;
  shortLink: string;
}

const words = ({ school, children, subject, title, dues, link, shortLink }: Words): Rendered => ({
  page: link,
  subject: text`Homework not submitted: ${{ children }}`,
  paragraphs: [
    text`Dear parent, this homework is not submitted yet:`,
    ...dues.map(
      ({ children, dueOn }) => text`${{ children }} · ${{ subject }}: ${{ title }}, due on ${{ day: onDay(dueOn) }}`,
    ),
    text`All homework, including pending work: ${{ link }}`,
    text`${{ school }}`,
  ],
  sms: text`Dear parent, homework of ${{ children }} is not submitted yet: ${{ shortLink }} ${{ school }}`,
});

const findReminder = ({ db }: Services, id: number) =>
  db
    .selectFrom('homework_reminder as reminder')
    .innerJoin('guardian', 'guardian.id', 'reminder.guardian_id')
    .innerJoin('homework_section as given', 'given.id', 'reminder.homework_section_id')
    .innerJoin('homework as content', 'content.id', 'given.homework_id')
    .innerJoin('configuration_subject as subject', 'subject.id', 'given.subject_id')
    .where('reminder.id', '=', id)
    .select(['given.id', 'given.state', 'content.title', 'subject.name as subject'])
    .select(['guardian.id as guardianId', 'guardian.email', 'guardian.mobile'])
    .executeTakeFirst();

const template: Template = {
  isFor: async (services, { subjectId, recipient, version }) => {
    const found = await findReminder(services, subjectId);
    if (!found) return false;
    const isContact = found.mobile === recipient || found.email.toLowerCase() === recipient.toLowerCase();
    return isContact && (await linkOf(services, { guardianId: found.guardianId, version })) !== undefined;
  },
  // What was submitted, cancelled or closed meanwhile needs no word.
  render: async (services, id, version) => {
    const found = await findReminder(services, id);
    if (found?.state !== 'Published') return undefined;
    const today = toLocalDate(services.now());
    const link = await linkOf(services, { guardianId: found.guardianId, version });
    const children = await childrenOf(services, found.guardianId, today);
    const pending = (await readRoster(services, found.id, today)).filter(isPending);
    const school = await services.db.selectFrom('academic_school').select('name').executeTakeFirst();
    const told = children.flatMap(({ studentId, name, receivesMessages }) => {
      const own = receivesMessages && pending.find((one) => one.studentId === studentId);
      return own ? [{ name, dueOn: own.dueOn }] : [];
    });
    if (!link || !school || told.length === 0) return undefined;
    const namesOf = (those: typeof told) => shortNames(those.map(({ name }) => name));
    const dues = [...Map.groupBy(told, ({ dueOn }) => dueOn)].map(([dueOn, those]) => ({
      dueOn,
      children: namesOf(those),
    }));
    return words({ ...found, school: school.name, children: namesOf(told), dues, ...link });
  },
};

export const reminderMessages: Record<string, Template> = { 'homework.reminder': template };

export const reminderTexts: Record<string, TextMessage> = {
  'homework.reminder': {
    when: text`When a teacher reminds families of homework that is not submitted.`,
    example: ({ name }, publicUrl) =>
      words({
        school: name,
        children: shortNames(['Aarohi', 'Dev']),
        subject: 'Maths',
        title: 'Fractions',
        dues: [{ children: shortNames(['Aarohi', 'Dev']), dueOn: '2027-09-24' }],
        link: `${publicUrl}/family?family=${'0'.repeat(32)}`,
        shortLink: `${publicUrl}/a/Ab3dE6gH9k`,
      }),
  },
};
