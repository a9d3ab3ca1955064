import { sql } from 'kysely';
import { firstContacts, tellGuardians } from '#features/family/api.ts';
import { onDay, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';

/** A child who has left is on the way now: the adult to call first reads it at once, whatever the school has switched off. */
const sending = { kind: 'attendance.left', urgency: 'Must' } as const;

/** Whether an adult of the child gets a message. */
export async function tellOfExit(ctx: Context, { id, studentId }: { id: number; studentId: number }): Promise<boolean> {
  const contact = (await firstContacts(ctx, sending, [studentId])).get(studentId);
  if (!contact) return false;
  await tellGuardians(ctx, { ...sending, isForNow: true }, [
    { way: contact.way, subjectId: id, key: `attendance.left ${id}` },
  ]);
  return true;
}

interface Words {
  child: string;
  /** YYYY-MM-DD. */
  day: string;
  /** 12:10. */
  time: string;
  person: string;
  school: string;
  phone: string;
}

const words = ({ child, day, time, person, school, phone }: Words): Rendered => ({
  subject: text`${{ child }} has left school`,
  paragraphs: [
    text`Dear parent, ${{ child }} left school on ${{ date: onDay(day, true) }} at ${{ time }} with ${{ person }}. If you did not expect this, call ${{ school }}: ${{ phone }}`,
  ],
});

/** What could not be sent on the day helps no family. */
const left: Template = {
  render: async ({ db, now }, id) => {
    const { rows } = await sql<Words>`
      select student.first_name as child, exit.day::text, to_char(exit.left_at, 'HH24:MI') as time,
        coalesce(adult.name, exit.person) as person, school.name as school, school.phone
      from attendance_exit exit
      join student on student.id = exit.student_id
      cross join academic_school school
      left join guardian adult on adult.id = guardian_now(exit.guardian_id)
      where exit.id = ${id}`.execute(db);
    const [found] = rows;
    return found && found.day === toLocalDate(now()) ? words(found) : undefined;
  },
  isFor: async (services, { subjectId, recipient }) => {
    const row = await services.db
      .selectFrom('attendance_exit')
      .where('id', '=', subjectId)
      .select('student_id')
      .executeTakeFirst();
    if (!row) return false;
    return (await firstContacts(services, sending, [row.student_id])).get(row.student_id)?.way.recipient === recipient;
  },
};

export const exitMessage: Record<string, Template> = { 'attendance.left': left };

export const exitText: Record<string, TextMessage> = {
  'attendance.left': {
    when: text`When a child leaves school before the day is over.`,
    example: ({ name, phone }) =>
      words({ child: 'Aarohi', day: '2027-09-24', time: '12:10', person: 'Meena Shah', school: name, phone }),
  },
};
