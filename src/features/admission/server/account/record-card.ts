import { admin, staff } from '#access/contract/grants.ts';
import { studentCard } from '#features/student/contract/cards.ts';
import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { ServedCard } from '#kit/server/context.ts';

/** The latest application for a year of the period that a student was made of; the accountant reads what was paid. */
export const admissionCard: ServedCard = {
  card: studentCard('admission', 'school', 5, text`Admission`, [
    admin(),
    staff('office', 'admissionHead', 'principal', 'accountant'),
  ]),
  read: async ({ db, user }, id, { from, to }) => {
    const row = await db
      .selectFrom('admission_inquiry as inquiry')
      .innerJoin('academic_year as year', 'year.id', 'inquiry.academic_year_id')
      .leftJoin('admission_payment as payment', (join) =>
        join.onRef('payment.inquiry_id', '=', 'inquiry.id').on('payment.reversed_at', 'is', null),
      )
      .where('inquiry.student_id', '=', id)
      .$if(from !== '', (query) => query.where('year.ends_on', '>=', from))
      .$if(to !== '', (query) => query.where('year.starts_on', '<=', to))
      .orderBy('year.starts_on', 'desc')
      .select(['inquiry.id', 'inquiry.inquiry_no', 'inquiry.quota', 'year.name as year'])
      .select(['payment.amount', 'payment.slip_no', 'payment.paid_on'])
      .executeTakeFirst();
    const empty = from ? text`No application for these days.` : text`No application: the student was added here.`;
    if (!row) return { asOf: '', facts: [], table: null, to: '', empty };
    const { amount, slip_no, paid_on } = row;
    const paid =
      amount === null || paid_on === null
        ? []
        : [
            {
              label: text`Paid at admission`,
              value: verbatim(`${showMoney(Number(amount))}, ${slip_no ?? ''}, ${showDate(paid_on)}`),
            },
          ];
    return {
      asOf: '',
      facts: [
        { label: text`Inquiry number`, value: verbatim(row.inquiry_no) },
        { label: text`Academic year`, value: verbatim(row.year) },
        { label: text`Quota`, value: verbatim(row.quota) },
        ...paid,
      ],
      table: null,
      to: user.role === 'Staff' ? `/school-erp/admission/confirm-admission/${row.id}` : '',
      empty,
    };
  },
};
