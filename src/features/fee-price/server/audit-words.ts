import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'fee-concession.ended': { verb: 'Ended', words: text`Ended` },
    'fee-concession.granted': { verb: 'Decided', words: text`Granted` },
    'fee-concession.rejected': { verb: 'Decided', words: text`Rejected` },
    'fee-concession.requested': { verb: 'Created', words: text`Approval requested` },
    'fee-concession.revoked': { verb: 'Reversed', words: text`Revoked` },
    'fee_concession.exported': { verb: 'Exported', words: text`Exported` },
    'fee-discount.created': { verb: 'Created', words: text`Created` },
    'fee-discount.changed': { verb: 'Changed', words: text`Changed` },
    'fee-discount.removed': { verb: 'Deleted', words: text`Deleted` },
    'fee-frequency.created': { verb: 'Created', words: text`Created` },
    'fee-frequency.changed': { verb: 'Changed', words: text`Changed` },
    'fee-frequency.removed': { verb: 'Deleted', words: text`Deleted` },
    'fee-structure.created': { verb: 'Created', words: text`Created` },
    'fee-structure.copied': { verb: 'Changed', words: text`Copied from another year` },
    'fee-structure.changed': { verb: 'Changed', words: text`Changed` },
    'fee-structure.returned': { verb: 'Reversed', words: text`Returned to draft` },
    'fee-structure.published': { verb: 'Decided', words: text`Published` },
    'fee-structure.removed': { verb: 'Deleted', words: text`Deleted` },
    'fee_structure.exported': { verb: 'Exported', words: text`Exported` },
    'fee_plan.exported': { verb: 'Exported', words: text`Exported` },
    'fee-plan.made': { verb: 'Created', words: text`Fee plan created` },
    'fee-plan.option': { verb: 'Changed', words: text`Optional fee changed` },
    'fee-plan.due-day': { verb: 'Changed', words: text`Due day moved` },
    'fee-plan.withdrawn': { verb: 'Reversed', words: text`Fee plan withdrawn` },
    'fee-plan.repriced': { verb: 'Changed', words: text`New prices applied` },
    'fee-proposal.asked': { verb: 'Created', words: text`Change of terms requested` },
    'fee-proposal.applied': { verb: 'Decided', words: text`Change of terms approved` },
    'fee-proposal.rejected': { verb: 'Decided', words: text`Change of terms rejected` },
    'fee-relief.asked': { verb: 'Created', words: text`Lower fees requested` },
    'fee-relief.done': { verb: 'Decided', words: text`Lower fees approved` },
    'fee-relief.rejected': { verb: 'Decided', words: text`Lower fees rejected` },
    'fee-relief.withdrawn': { verb: 'Reversed', words: text`Lower fees withdrawn` },
    'fee-proposal.withdrawn': { verb: 'Reversed', words: text`Change of terms withdrawn` },
    'fine-rule.created': { verb: 'Created', words: text`Created` },
    'fine-rule.changed': { verb: 'Changed', words: text`Changed` },
    'fine-rule.removed': { verb: 'Deleted', words: text`Deleted` },
    'fine-rule.terms-added': { verb: 'Created', words: text`Terms added` },
    'fine-rule.terms-removed': { verb: 'Deleted', words: text`Terms removed` },
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
    fee_proposal: {
      kind: text`Change of fee terms`,
      findNames: (db, ids) =>
        db
          .selectFrom('fee_proposal')
          .where('id', 'in', ids)
          .select('id')
          .select(sql<string>`kind || ': ' || name`.as('name'))
          .execute(),
    },
    fee_relief: {
      kind: text`Request to lower fees`,
      findNames: (db, ids) =>
        db
          .selectFrom('fee_relief as own')
          .innerJoin('fee_plan as plan', 'plan.id', 'own.plan_id')
          .innerJoin('fee_account as account', 'account.id', 'plan.account_id')
          .innerJoin('student', 'student.id', 'account.student_id')
          .where('own.id', 'in', ids)
          .select(['own.id', 'student.name'])
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
    fee_fine_rule: {
      kind: text`Late fine rule`,
      findNames: (db, ids) => db.selectFrom('fee_fine_rule').where('id', 'in', ids).select(['id', 'name']).execute(),
    },
  },
};
