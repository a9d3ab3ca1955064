import { sql } from 'kysely';
import { tellGuardians, waysOf } from '#features/family/api.ts';
import { onDay, type Text, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';

interface Asked {
  id: number;
  studentId: number;
  /** Who asked. */
  guardianId: number | null;
}

/**
 * Tells the other adults of the child at once that leave was asked for, also at night: a stranger with the phone of one of them
 * could make a missing child look excused.
 */
export async function tellOfAsked(ctx: Context, { id, studentId, guardianId }: Asked): Promise<void> {
  const kind = 'attendance.leave-asked';
  const others = await ctx.db
    .selectFrom('student_guardian')
    .where('student_id', '=', studentId)
    .where('guardian_id', '<>', guardianId ?? 0)
    .where('role', '<>', 'Contact')
    .where('is_barred', '=', false)
    .where('receives_messages', '=', true)
    .select(['guardian_id as guardianId', 'student_id as studentId'])
    .orderBy('guardian_id')
    .execute();
  const sending = { kind, urgency: 'Must' } as const;
  const reached = [...(await waysOf(ctx, sending, others)).values()].flatMap(({ ways }) => ways);
  await tellGuardians(
    ctx,
    { ...sending, isForNow: true },
    reached.map((way) => ({ way, subjectId: id, key: `${kind} ${id} ${way.guardianId} ${way.channel}` })),
  );
}

/** Tells the guardian who asked of the decision. */
export async function tellOfDecision(ctx: Context, leaves: readonly Asked[], state: 'Granted' | 'Rejected') {
  const kind = state === 'Granted' ? 'attendance.leave-granted' : 'attendance.leave-rejected';
  const sending = { kind, urgency: 'Must' } as const;
  const ways = await waysOf(
    ctx,
    sending,
    leaves.flatMap(({ studentId, guardianId }) => (guardianId === null ? [] : [{ guardianId, studentId }])),
  );
  await tellGuardians(
    ctx,
    sending,
    leaves.flatMap(({ id, guardianId }) =>
      (ways.get(guardianId ?? 0)?.ways ?? []).map((way) => ({
        way,
        subjectId: id,
        key: `${kind} ${id} ${way.channel}`,
      })),
    ),
  );
}

interface Words {
  child: string;
  /** YYYY-MM-DD. */
  fromDay: string;
  toDay: string;
  school: string;
  phone: string;
  remark: string;
  state: string;
}

const daysOf = ({ fromDay, toDay }: Words): Text =>
  fromDay === toDay
    ? text`${{ date: onDay(fromDay, true) }}`
    : text`${{ from: onDay(fromDay, true) }} - ${{ until: onDay(toDay, true) }}`;

const askedWords = (words: Words): Rendered => ({
  subject: text`Request for leave of ${{ child: words.child }}`,
  paragraphs: [
    text`Dear parent, the family page has a request for leave of ${{ child: words.child }}, ${{ days: daysOf(words) }}. If you did not expect this, call ${{ school: words.school }}: ${{ phone: words.phone }}`,
  ],
});

const grantedWords = (words: Words): Rendered => ({
  subject: text`Leave of ${{ child: words.child }} is granted`,
  paragraphs: [
    text`Dear parent, the leave of ${{ child: words.child }}, ${{ days: daysOf(words) }}, is granted. ${{ school: words.school }}: ${{ phone: words.phone }}`,
  ],
});

const rejectedWords = (words: Words): Rendered => ({
  subject: text`Leave of ${{ child: words.child }} is not granted`,
  paragraphs: [
    text`Dear parent, the leave of ${{ child: words.child }}, ${{ days: daysOf(words) }}, is not granted. Call ${{ school: words.school }}: ${{ phone: words.phone }}`,
    ...(words.remark ? [text`Reason: ${{ remark: words.remark }}`] : []),
  ],
  sms: text`Dear parent, the leave of ${{ child: words.child }}, ${{ days: daysOf(words) }}, is not granted. The reason is on the family page. ${{ school: words.school }}: ${{ phone: words.phone }}`,
});

const template = (words: (words: Words) => Rendered, applies: (state: string) => boolean): Template => ({
  render: async ({ db }, id) => {
    const { rows } = await sql<Words>`
      select student.first_name as child, leave.from_day::text as "fromDay", leave.to_day::text as "toDay", leave.state,
        school.name as school, school.phone, coalesce((select remark from approval
          where approval.attendance_leave_id = leave.id order by approval.id desc limit 1), '') as remark
      from attendance_leave leave
      join student on student.id = leave.student_id
      cross join academic_school school
      where leave.id = ${id}`.execute(db);
    const [found] = rows;
    return found && applies(found.state) ? words(found) : undefined;
  },
  // A number that was taken from the adult, or an adult who may no longer read, gets nothing.
  isFor: async ({ db }, { subjectId, recipient }) => {
    const { rows } = await sql`select from attendance_leave leave
      join student_guardian link on link.student_id = leave.student_id and not link.is_barred and link.receives_messages
      join guardian adult on adult.id = link.guardian_id and not adult.is_deceased
      where leave.id = ${subjectId} and (adult.mobile = ${recipient} or lower(adult.email) = lower(${recipient})) limit 1`.execute(
      db,
    );
    return rows.length > 0;
  },
});

export const leaveNews = {
  // Also where it is decided by then: the adult did not know that it was asked for.
  'attendance.leave-asked': template(askedWords, (state) => state !== 'Cancelled'),
  'attendance.leave-granted': template(grantedWords, (state) => state === 'Granted'),
  'attendance.leave-rejected': template(rejectedWords, (state) => state === 'Rejected'),
};

const example =
  (words: (words: Words) => Rendered): TextMessage['example'] =>
  ({ name, phone }) =>
    words({ child: 'Aarohi', fromDay: '2027-09-24', toDay: '2027-09-25', school: name, phone, remark: '', state: '' });

export const leaveTexts: Record<string, TextMessage> = {
  'attendance.leave-asked': {
    when: text`When a guardian asks for leave of a child, to the other adults.`,
    example: example(askedWords),
  },
  'attendance.leave-granted': {
    when: text`When leave that a guardian asked for is granted.`,
    example: example(grantedWords),
  },
  'attendance.leave-rejected': {
    when: text`When leave that a guardian asked for is not granted.`,
    example: example(rejectedWords),
  },
};
