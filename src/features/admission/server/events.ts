import { sql } from 'kysely';
import { type Text, text } from '#kit/contract/text.ts';
import type { EventSource } from '#kit/server/context.ts';
import { admissionCard } from './account/record-card.ts';

const steps: Record<string, (name: string) => Text> = {
  asked: (number) => text`Inquiry ${{ number }}`,
  called: (number) => text`Follow-up of inquiry ${{ number }}`,
  submitted: (number) => text`Admission form of ${{ number }} submitted`,
};

/** How a student came to the school; ids are of the inquiry and its follow-ups, four times as high and with the number of their kind. */
export const admissionEvents: EventSource = {
  record: 'student',
  kind: 'admission',
  title: text`Admission`,
  access: admissionCard.card.access,
  find: async ({ db, user }, id, { from, to, most, isAfter }) => {
    const { rows } = await sql<{
      day: string;
      id: number;
      step: string;
      number: string;
      inquiryId: number;
      detail: string;
    }>`
      select day::text, id, step, number, "inquiryId", detail from (
        select (inquiry.created_at at time zone 'Asia/Kolkata')::date as day, inquiry.id * 4 as id, 'asked' as step,
          inquiry.inquiry_no as number, inquiry.id as "inquiryId", '' as detail
        from admission_inquiry inquiry where inquiry.student_id = ${id}
        union all
        select (contact.contacted_at at time zone 'Asia/Kolkata')::date, contact.id * 4 + 1, 'called', inquiry.inquiry_no,
          inquiry.id, contact.note
        from admission_follow_up contact join admission_inquiry inquiry on inquiry.id = contact.inquiry_id
        where inquiry.student_id = ${id}
        union all
        select (inquiry.submitted_at at time zone 'Asia/Kolkata')::date, inquiry.id * 4 + 2, 'submitted', inquiry.inquiry_no,
          inquiry.id, ''
        from admission_inquiry inquiry where inquiry.student_id = ${id} and inquiry.submitted_at is not null) as event
      where day between ${from}::date and ${to}::date and ${isAfter(sql`day`, sql`id`)}
      order by event.day desc, id desc limit ${most}`.execute(db);
    return rows.map(({ step, number, inquiryId, ...row }) => ({
      ...row,
      what: steps[step]?.(number) ?? text`Admission`,
      to: user.role === 'Staff' ? `admission/inquiry/${inquiryId}` : '',
    }));
  },
};
