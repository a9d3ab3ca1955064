import { sql } from 'kysely';
import { linkOf, shortNames, tellGuardians, waysOf } from '#features/family/api.ts';
import { onDay, type Text, text } from '#kit/contract/text.ts';
import type { Context, Services } from '#kit/server/context.ts';
import { insertTogether } from '#kit/server/database/bulk.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { DailyTask } from '#kit/server/job/daily.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';
import { placeOf, timeOfDay } from './read.ts';
import { reminderHour } from './settings.ts';

const kinds = { Open: 'meeting.open', Reminder: 'meeting.reminder', Cancelled: 'meeting.cancelled' } as const;
const urgencies = { Open: 'Normal', Reminder: 'Digest', Cancelled: 'Must' } as const;
type Kind = keyof typeof kinds;

interface Pair {
  guardianId: number;
  studentId: number;
}

/** How these guardians are reached with a word about a meeting: the first way of each. */
export async function reachFor(ctx: Context, kind: Kind, pairs: readonly Pair[]) {
  const reached = await waysOf(ctx, { kind: kinds[kind], urgency: urgencies[kind] }, pairs);
  return {
    ways: [...reached.values()].flatMap(({ ways: [way] }) => way ?? []),
    unreached: [...reached.values()].filter(({ reason }) => reason !== '' && reason !== 'Same as').length,
  };
}

/** Tells each guardian once; the last step of a transaction. */
export async function tell(
  ctx: Context,
  { meetingId, kind }: { meetingId: number; kind: Kind },
  ways: Awaited<ReturnType<typeof reachFor>>['ways'],
): Promise<void> {
  const rows = ways.map(({ guardianId }) => ({ meetingId, guardianId, kind }));
  const told = await insertTogether(ctx.db, 'meeting_told', rows, ['id', 'guardian_id']);
  const ids = new Map(told.map(({ id, guardian_id }) => [guardian_id, id]));
  await tellGuardians(
    ctx,
    { kind: kinds[kind], urgency: urgencies[kind], carriesLink: true },
    ways.flatMap((way) => {
      const id = ids.get(way.guardianId);
      return id === undefined ? [] : [{ way, subjectId: id, key: `${kinds[kind]} ${id}` }];
    }),
  );
}

/** Tells the families of closed times, each of its own. */
export async function tellClosed(ctx: Context, slotIds: readonly number[]): Promise<number> {
  const { rows } = await sql<Pair & { id: number }>`select id, guardian_id as "guardianId", student_id as "studentId"
    from meeting_slot where id = any(${[...slotIds]}::integer[]) and guardian_id is not null order by id`.execute(
    ctx.db,
  );
  const sending = { kind: 'meeting.closed', urgency: 'Must' } as const;
  const reached = await waysOf(ctx, sending, rows);
  const told = rows.flatMap(({ id, guardianId }) => {
    const way = reached.get(guardianId)?.ways[0];
    return way ? [{ way, subjectId: id, key: `meeting.closed ${id}` }] : [];
  });
  await tellGuardians(ctx, { ...sending, carriesLink: true }, told);
  return new Set(told.map(({ way }) => way.guardianId)).size;
}

/** The evening before: who has booked times. */
async function sendReminders(ctx: Context): Promise<void> {
  const day = addDays(toLocalDate(ctx.now()), 1);
  const { rows } = await sql<Pair & { meetingId: number }>`
    select distinct host.meeting_id as "meetingId", slot.guardian_id as "guardianId", slot.student_id as "studentId"
    from meeting join meeting_host host on host.meeting_id = meeting.id join meeting_slot slot on slot.host_id = host.id
    where meeting.day = ${day}::date and meeting.state = 'Open' and not slot.is_closed and slot.guardian_id is not null
      and not exists (select from meeting_told told where told.meeting_id = meeting.id
        and told.guardian_id = slot.guardian_id and told.kind = 'Reminder')
    order by 1, 2, 3`.execute(ctx.db);
  if (rows.length === 0) return;
  const { ways } = await reachFor(ctx, 'Reminder', rows);
  for (const [meetingId, pairs] of Map.groupBy(rows, (row) => row.meetingId)) {
    const own = new Set(pairs.map(({ guardianId }) => guardianId));
    await tell(
      ctx,
      { meetingId, kind: 'Reminder' },
      ways.filter(({ guardianId }) => own.has(guardianId)),
    );
  }
}

export const dailyReminder: DailyTask = {
  name: 'meeting.reminder',
  from: reminderHour,
  until: 24,
  act: sendReminders,
};

interface Words {
  school: string;
  meeting: string;
  /** YYYY-MM-DD. */
  day: string;
  until: string;
  reason: string;
  children: string | Text;
  times: readonly { from: string; child: string; teacher: string; place: string }[];
  link: string;
  shortLink: string;
}

const openWords = ({ school, meeting, day, until, children, link, shortLink }: Words): Rendered => ({
  page: link,
  subject: text`Book your time: ${{ meeting }} on ${{ day: onDay(day) }}`,
  paragraphs: [
    text`Dear parent, you can meet the teachers of ${{ children }} on ${{ day: onDay(day) }}. Book your times on your page until ${{ until: onDay(until) }}: ${{ link }}`,
    text`${{ school }}`,
  ],
  sms: text`Dear parent, meet the teachers of ${{ children }} on ${{ day: onDay(day, true) }}. Book a time by ${{ until: onDay(until, true) }}: ${{ shortLink }} ${{ school }}`,
});

const reminderWords = ({ school, day, children, times, link, shortLink }: Words): Rendered => ({
  page: link,
  subject: text`Tomorrow: your times with the teachers of ${{ children }}`,
  paragraphs: [
    text`Dear parent, your times on ${{ day: onDay(day) }}:`,
    ...times.map(({ place, ...one }) =>
      place
        ? text`${{ from: one.from }} · ${{ child: one.child }} · ${{ teacher: one.teacher }} · ${{ place }}`
        : text`${{ from: one.from }} · ${{ child: one.child }} · ${{ teacher: one.teacher }}`,
    ),
    text`All your times: ${{ link }}`,
    text`${{ school }}`,
  ],
  sms: text`Dear parent, tomorrow from ${{ time: times[0]?.from ?? '' }} you meet the teachers of ${{ children }}. Your times: ${{ shortLink }} ${{ school }}`,
});

const cancelledWords = ({ school, day, children, reason, link, shortLink }: Words): Rendered => ({
  page: link,
  subject: text`The meeting on ${{ day: onDay(day) }} is cancelled`,
  paragraphs: [
    text`Dear parent, the meeting with the teachers of ${{ children }} on ${{ day: onDay(day) }} is cancelled: ${{ reason }}`,
    text`Your page: ${{ link }}`,
    text`${{ school }}`,
  ],
  sms: text`Dear parent, the meeting with the teachers of ${{ children }} on ${{ day: onDay(day, true) }} is cancelled. Why: ${{ shortLink }} ${{ school }}`,
});

const closedWords = ({ school, day, children, times, reason, link, shortLink }: Words): Rendered => {
  const { from = '', teacher = '' } = times[0] ?? {};
  return {
    page: link,
    subject: text`Your time with ${{ teacher }} on ${{ day: onDay(day) }} is cancelled`,
    paragraphs: [
      text`Dear parent, your time at ${{ time: from }} on ${{ day: onDay(day) }} with ${{ teacher }} about ${{ children }} is cancelled: ${{ reason }}`,
      text`You can book another time on your page: ${{ link }}`,
      text`${{ school }}`,
    ],
    sms: text`Dear parent, your time at ${{ time: from }} on ${{ day: onDay(day, true) }} with the teacher of ${{ children }} is cancelled. Book another: ${{ shortLink }} ${{ school }}`,
  };
};

type Found = Omit<Words, 'children' | 'times' | 'link' | 'shortLink'> & {
  guardianId: number;
  mobile: string;
  email: string;
  state: string;
  children: string[];
  times: Words['times'];
};

const timesOf = (condition: ReturnType<typeof sql<boolean>>) => sql`coalesce((select json_agg(json_build_object(
    'from', ${timeOfDay(sql`slot.starts_at`)}, 'child', student.first_name, 'teacher', staff.name, 'place', ${placeOf})
    order by slot.starts_at, slot.id)
  from meeting_slot slot join meeting_host host on host.id = slot.host_id join staff on staff.id = slot.staff_id
  join student on student.id = slot.student_id where ${condition}), '[]')`;

/** A message to a guardian, with the guardian's children in the meeting's sections. */
async function findTold({ db, now }: Services, id: number): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
    select adult.id as "guardianId", adult.mobile, adult.email, meeting.state, meeting.name as meeting, meeting.day,
      meeting.books_until as until, meeting.reason, school.name as school,
      array(select student.first_name from family_children(adult.id, ${toLocalDate(now())}) own
        join meeting_section part on part.section_id = own.section_id and part.meeting_id = meeting.id
        join student on student.id = own.student_id where own.receives_messages
        order by student.birth_date, student.id) as children,
      ${timesOf(sql<boolean>`host.meeting_id = meeting.id and slot.guardian_id = adult.id and not slot.is_closed`)} as times
    from meeting_told told join meeting on meeting.id = told.meeting_id
    join guardian adult on adult.id = guardian_now(told.guardian_id) cross join academic_school school
    where told.id = ${id}`.execute(db);
  return rows[0];
}

async function findClosed({ db }: Services, id: number): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
    select adult.id as "guardianId", adult.mobile, adult.email, case when closed.is_closed then 'Closed' else 'Open' end as state,
      meeting.name as meeting, meeting.day, meeting.books_until as until, own.reason, school.name as school,
      array[child.first_name] as children, ${timesOf(sql<boolean>`slot.id = closed.id`)} as times
    from meeting_slot closed join meeting_host own on own.id = closed.host_id join meeting on meeting.id = own.meeting_id
    join guardian adult on adult.id = guardian_now(closed.guardian_id) join student child on child.id = closed.student_id
    cross join academic_school school
    where closed.id = ${id}`.execute(db);
  return rows[0];
}

/** A message that carries the link: it is for the guardian’s contact while the link of the message works. */
const templateOf = (
  find: typeof findTold,
  words: (words: Words) => Rendered,
  isStill: (found: Found, today: string) => boolean,
): Template => ({
  isFor: async (services, { subjectId, recipient, version }) => {
    const found = await find(services, subjectId);
    if (!found) return false;
    const isContact = found.mobile === recipient || found.email.toLowerCase() === recipient.toLowerCase();
    return isContact && (await linkOf(services, { guardianId: found.guardianId, version })) !== undefined;
  },
  render: async (services, id, version) => {
    const found = await find(services, id);
    if (!found || found.children.length === 0 || !isStill(found, toLocalDate(services.now()))) return undefined;
    const link = await linkOf(services, { guardianId: found.guardianId, version });
    return link && words({ ...found, children: shortNames(found.children), ...link });
  },
});

export const meetingTemplates: Record<string, Template> = {
  'meeting.open': templateOf(findTold, openWords, ({ state, until }, today) => state === 'Open' && until >= today),
  'meeting.reminder': templateOf(
    findTold,
    reminderWords,
    ({ state, day, times }, today) => state === 'Open' && day > today && times.length > 0,
  ),
  'meeting.cancelled': templateOf(
    findTold,
    cancelledWords,
    ({ state, day }, today) => state === 'Cancelled' && day >= today,
  ),
  'meeting.closed': templateOf(findClosed, closedWords, ({ state, day }, today) => state === 'Closed' && day >= today),
};

const example =
  (words: (words: Words) => Rendered): TextMessage['example'] =>
  ({ name }, publicUrl) =>
    words({
      school: name,
      meeting: 'Parent meeting',
      day: '2027-09-24',
      until: '2027-09-22',
      reason: 'The teacher is ill.',
      children: shortNames(['Aarohi', 'Dev']),
      times: [{ from: '15:10', child: 'Aarohi', teacher: 'Meena Shah', place: 'Room 12' }],
      link: `${publicUrl}/family?family=${'0'.repeat(32)}`,
      shortLink: `${publicUrl}/a/Ab3dE6gH9k`,
    });

export const meetingTexts: Record<string, TextMessage> = {
  'meeting.open': { when: text`When families can book times of a meeting.`, example: example(openWords) },
  'meeting.reminder': { when: text`The evening before a meeting.`, example: example(reminderWords) },
  'meeting.cancelled': { when: text`When a meeting is cancelled.`, example: example(cancelledWords) },
  'meeting.closed': {
    when: text`When a teacher’s times at a meeting are cancelled.`,
    example: example(closedWords),
  },
};
