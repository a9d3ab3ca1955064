import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'fee-cheque.taken': text`Cheque taken`,
    'fee-cheque.deposited': text`Cheque deposited`,
    'fee-cheque.cleared': text`Cheque cleared`,
    'fee-cheque.bounced': text`Cheque bounced`,
    'fee-cheque.returned': text`Cheque given back`,
    'fee_cheque.exported': text`Cheques exported`,
    'fee-day.opened': text`Opening cash entered`,
    'fee-day.closed': text`Day closed`,
    'fee-adjustment.requested': text`Correction asked for`,
    'fee-adjustment.done': text`Correction posted`,
    'fee-adjustment.rejected': text`Correction rejected`,
    'fee-refund.requested': text`Refund asked for`,
    'fee-refund.approved': text`Refund approved`,
    'fee-refund.rejected': text`Refund rejected`,
    'fee-refund.paid': text`Refund paid`,
    'fee-advance.applied': text`Advance applied`,
    'fee-fine.posted': text`Late fines posted`,
    'fee-opening.imported': text`Opening balances imported`,
    'fee-opening.undone': text`Import of opening balances undone`,
    'fee-follow-up.added': text`Call noted`,
    'fee-demand.list-printed': text`Printed demand slips`,
    'fee-report.exported': text`Report exported`,
    'fee_adjustment.exported': text`Corrections exported`,
    'fee_refund.exported': text`Refunds exported`,
    'fee-concession.ended': text`Ended`,
    'fee-concession.granted': text`Granted`,
    'fee-concession.rejected': text`Rejected`,
    'fee-concession.requested': text`Approval requested`,
    'fee-concession.revoked': text`Revoked`,
    'fee_concession.exported': text`Exported`,
    'fee-discount.created': text`Created`,
    'fee-discount.changed': text`Changed`,
    'fee-discount.removed': text`Deleted`,
    'fee-frequency.created': text`Created`,
    'fee-frequency.changed': text`Changed`,
    'fee-frequency.removed': text`Deleted`,
    'fee-structure.created': text`Created`,
    'fee-structure.copied': text`Copied from another year`,
    'fee-structure.changed': text`Changed`,
    'fee-structure.returned': text`Returned to draft`,
    'fee-structure.published': text`Published`,
    'fee-structure.removed': text`Deleted`,
    'fee_structure.exported': text`Exported`,
    'fee_plan.exported': text`Exported`,
    'fee-plan.made': text`Fee plan made`,
    'fee-plan.option': text`Optional fee changed`,
    'fee-plan.due-day': text`Due day moved`,
    'fee-plan.withdrawn': text`Fee plan withdrawn`,
    'fee-plan.repriced': text`New prices applied`,
    'fee_account.exported': text`Exported`,
    'fee-payment.taken': text`Taken`,
    'fee-payment.cancelled': text`Cancelled`,
    'fee-payment.bounced': text`Bounced`,
    'fine-rule.created': text`Created`,
    'fine-rule.changed': text`Changed`,
    'fine-rule.removed': text`Deleted`,
    'fine-rule.terms-added': text`Terms added`,
    'fine-rule.terms-removed': text`Terms removed`,
  },
  records: {
    fee_frequency: {
      kind: text`Frequency of payment`,
      findNames: (db, ids) => db.selectFrom('fee_frequency').where('id', 'in', ids).select(['id', 'name']).execute(),
    },
    fee_concession: {
      kind: text`Fee concession`,
      findNames: (db, ids) =>
        db
          .selectFrom('fee_concession as concession')
          .innerJoin('fee_discount as discount', 'discount.id', 'concession.discount_id')
          .innerJoin('student', 'student.id', 'concession.student_id')
          .where('concession.id', 'in', ids)
          .select('concession.id')
          .select(sql<string>`student.gr_no || ', ' || discount.name`.as('name'))
          .execute(),
    },
    fee_discount: {
      kind: text`Fee discount`,
      findNames: (db, ids) => db.selectFrom('fee_discount').where('id', 'in', ids).select(['id', 'name']).execute(),
    },
    fee_structure: {
      kind: text`Fee structure`,
      findNames: (db, ids) => db.selectFrom('fee_structure').where('id', 'in', ids).select(['id', 'name']).execute(),
    },
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
    fee_plan: {
      kind: text`Fee plan`,
      findNames: (db, ids) =>
        db
          .selectFrom('fee_plan as plan')
          .innerJoin('fee_account as account', 'account.id', 'plan.account_id')
          .innerJoin('student', 'student.id', 'account.student_id')
          .where('plan.id', 'in', ids)
          .select(['plan.id', 'student.name'])
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
          .innerJoin('student', 'student.id', 'account.student_id')
          .where('own.id', 'in', ids)
          .select(['own.id', 'student.name'])
          .execute(),
    },
    fee_day: {
      kind: text`Cashier’s day`,
      findNames: (db, ids) =>
        db
          .selectFrom('fee_day')
          .innerJoin('staff', 'staff.id', 'fee_day.staff_id')
          .where('fee_day.id', 'in', ids)
          .select('fee_day.id')
          .select(sql<string>`staff.name || ', ' || fee_day.day`.as('name'))
          .execute(),
    },
    fee_opening: { kind: text`Opening balances`, findNames: async () => [] },
    fee_report: { kind: text`Report of fees`, findNames: async () => [] },
    fee_fine_rule: {
      kind: text`Late fine rule`,
      findNames: (db, ids) => db.selectFrom('fee_fine_rule').where('id', 'in', ids).select(['id', 'name']).execute(),
    },
  },
};
