import { sql } from 'kysely';
import { firstContacts, tellGuardians } from '#features/family/api.ts';
import { resultCorrectedHook } from '#features/student/contract/hooks.ts';
import { onDay, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';

const sending = { kind: 'year-end.result', urgency: 'Normal' } as const;

/** The guardian who gets messages about the child hears of each corrected result once. */
export const tellOfResult = answer(
  resultCorrectedHook,
  { by: 'year-end', step: 13 },
  async (ctx, { studentId, changeId }) => {
    const way = (await firstContacts(ctx, sending, [studentId])).get(studentId)?.way;
    if (way) await tellGuardians(ctx, sending, [{ way, subjectId: changeId, key: `year-end.result ${changeId}` }]);
    return undefined;
  },
);

interface Words {
  school: string;
  child: string;
  year: string;
  grade: string;
  /** From which the class counts, YYYY-MM-DD. */
  from: string;
}

const words = ({ school, child, year, grade, from }: Words): Rendered => ({
  subject: text`Result of ${{ child }} for ${{ year }}`,
  paragraphs: [
    text`Dear parent, the result of ${{ child }} for ${{ year }} was corrected. From ${{ date: onDay(from, true) }} the class is ${{ grade }}. ${{ school }}`,
  ],
});

interface Corrected extends Words {
  studentId: number;
}

/** A correction with the class as it is when the message is sent; none where a later one has taken its place. */
async function findCorrected({ db }: Pick<Context, 'db'>, id: number): Promise<Corrected | undefined> {
  const { rows } = await sql<Corrected>`
    select school.name as school, student.first_name as child, year.name as year, place.name as grade,
      own.effective_from as "from", student.id as "studentId"
    from student_result_change own
    join student_enrollment enrollment on enrollment.id = own.enrollment_id and enrollment.status = own.to_status
    join student on student.id = enrollment.student_id
    join academic_year year on year.id = enrollment.academic_year_id
    cross join lateral student_place(student.id, greatest(own.effective_from, school_now()::date)) as place
    cross join academic_school school
    where own.id = ${id} and own.applied_at is not null and not exists (select from student_result_change later
      where later.enrollment_id = own.enrollment_id and later.applied_at is not null and later.id > own.id)`.execute(
    db,
  );
  return rows[0];
}

const template: Template = {
  render: async (services, id) => {
    const found = await findCorrected(services, id);
    return found && words(found);
  },
  isFor: async (services, { subjectId, recipient }) => {
    const found = await findCorrected(services, subjectId);
    if (!found) return false;
    const contacts = await firstContacts(services, sending, [found.studentId]);
    return contacts.get(found.studentId)?.way.recipient === recipient;
  },
};

export const resultMessages: Record<string, Template> = { 'year-end.result': template };

export const resultTexts: Record<string, TextMessage> = {
  'year-end.result': {
    when: text`When the result of a year is corrected.`,
    example: ({ name }) =>
      words({ school: name, child: 'Aarohi', year: '2026-27', grade: 'Grade 5, B', from: '2027-06-01' }),
  },
};
