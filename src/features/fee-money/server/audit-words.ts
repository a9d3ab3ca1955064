import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'fee-cheque.taken': { verb: 'Created', words: text`Cheque received` },
    'fee-cheque.deposited': { verb: 'Changed', words: text`Cheque deposited` },
    'fee-cheque.cleared': { verb: 'Changed', words: text`Cheque cleared` },
    'fee-cheque.bounced': { verb: 'Reversed', words: text`Cheque bounced` },
    'fee-cheque.returned': { verb: 'Reversed', words: text`Cheque returned` },
    'fee_cheque.exported': { verb: 'Exported', words: text`Cheques exported` },
    'fee-day.opened': { verb: 'Changed', words: text`Opening cash counted` },
    'fee-day.shift-opened': { verb: 'Created', words: text`Shift opened` },
    'fee-day.closed': { verb: 'Ended', words: text`Shift closed` },
    'fee-adjustment.requested': { verb: 'Created', words: text`Correction requested` },
    'fee-adjustment.done': { verb: 'Ended', words: text`Correction posted` },
    'fee-adjustment.rejected': { verb: 'Decided', words: text`Correction rejected` },
    'fee-refund.requested': { verb: 'Created', words: text`Refund requested` },
    'fee-refund.approved': { verb: 'Decided', words: text`Refund approved` },
    'fee-refund.rejected': { verb: 'Decided', words: text`Refund rejected` },
    'fee-refund.paid': { verb: 'Changed', words: text`Refund paid` },
    'fee-advance.applied': { verb: 'Changed', words: text`Advance applied` },
    'fee-fine.posted': { verb: 'Created', words: text`Late fines posted` },
    'fee-certificate.made': { verb: 'Created', words: text`Certificate of fees paid made` },
    'fee-opening.imported': { verb: 'Imported', words: text`Opening balances imported` },
    'fee-opening.asked': { verb: 'Created', words: text`Opening balances requested` },
    'fee-opening.done': { verb: 'Decided', words: text`Opening balances approved` },
    'fee-opening.rejected': { verb: 'Decided', words: text`Opening balances rejected` },
    'fee-opening.withdrawn': { verb: 'Reversed', words: text`Request about opening balances withdrawn` },
    'fee-opening.undone': { verb: 'Reversed', words: text`Import of opening balances undone` },
    'fee-follow-up.added': { verb: 'Created', words: text`Call noted` },
    'fee-demand.list-printed': { verb: 'Printed', words: text`Printed demand slips` },
    'fee-report.exported': { verb: 'Exported', words: text`Report exported` },
    'fee_adjustment.exported': { verb: 'Exported', words: text`Corrections exported` },
    'fee_refund.exported': { verb: 'Exported', words: text`Refunds exported` },
    'fee_account.exported': { verb: 'Exported', words: text`Exported` },
    'fee-payment.taken': { verb: 'Created', words: text`Taken` },
    'fee-payment.cancelled': { verb: 'Reversed', words: text`Cancelled` },
    'fee-payment.moved': { verb: 'Changed', words: text`Payment moved` },
    'fee-payment.unplaced': { verb: 'Reversed', words: text`Payment cancelled, money unplaced` },
    'fee-unplaced.placed': { verb: 'Changed', words: text`Unplaced money placed` },
    'fee-reissue.rejected': { verb: 'Decided', words: text`Move of a payment rejected` },
    'fee-reissue.withdrawn': { verb: 'Reversed', words: text`Move of a payment withdrawn` },
    'fee_unplaced.exported': { verb: 'Exported', words: text`Unplaced money exported` },
    'fee-payment.bounced': { verb: 'Reversed', words: text`Bounced` },
  },
  records: {
    fee_payment: {
      kind: text`Fee payment`,
      findNames: (db, ids) =>
        db
          .selectFrom('fee_payment')
          .where('id', 'in', ids)
          .select('id')
          .select(sql<string>`'P-' || lpad(id::text, 5, '0')`.as('name'))
          .execute(),
    },
    fee_cheque: {
      kind: text`Cheque`,
      findNames: (db, ids) =>
        db
          .selectFrom('fee_cheque')
          .where('id', 'in', ids)
          .select('id')
          .select(sql<string>`number || ', ' || bank`.as('name'))
          .execute(),
    },
    fee_unplaced: { kind: text`Unplaced money`, findNames: async () => [] },
    fee_account: { kind: text`Fees of students`, findNames: async () => [] },
    fee_adjustment: {
      kind: text`Correction of fees`,
      findNames: (db, ids) =>
        db
          .selectFrom('fee_adjustment as own')
          .innerJoin('fee_account as account', 'account.id', 'own.account_id')
          .innerJoin('student', 'student.id', 'account.student_id')
          .where('own.id', 'in', ids)
          .select(['own.id', 'student.name'])
          .execute(),
    },
    fee_refund: {
      kind: text`Refund`,
      findNames: (db, ids) =>
        db
          .selectFrom('fee_refund as own')
          .innerJoin('fee_account as account', 'account.id', 'own.account_id')
          .leftJoin('student', 'student.id', 'account.student_id')
          .where('own.id', 'in', ids)
          .select(['own.id', sql<string>`coalesce(student.name, account.unplaced_note, '')`.as('name')])
          .execute(),
    },
    fee_reissue: { kind: text`Move of a payment`, findNames: async () => [] },
    fee_day: {
      kind: text`Cashier’s day`,
      findNames: (db, ids) =>
        db
          .selectFrom('fee_day')
          .innerJoin('staff', 'staff.id', 'fee_day.staff_id')
          .where('fee_day.id', 'in', ids)
          .select('fee_day.id')
          .select(sql<string>`concat_ws(', ', staff.name, fee_day.day, case when shift > 1 then shift end)`.as('name'))
          .execute(),
    },
    fee_opening_batch: { kind: text`Request about opening balances`, findNames: async () => [] },
    fee_opening: { kind: text`Opening balances`, findNames: async () => [] },
    fee_report: { kind: text`Report of fees`, findNames: async () => [] },
  },
};
