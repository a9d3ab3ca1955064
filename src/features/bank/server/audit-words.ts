import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'bank-deposit.made': { verb: 'Created', words: text`Cheques deposited on a slip` },
    'bank-deposit.list-printed': { verb: 'Exported', words: text`Deposit slip printed` },
    'bank_deposit.exported': { verb: 'Exported', words: text`Deposit slips exported` },
    'bank-statement.imported': { verb: 'Imported', words: text`Bank statement imported` },
    'bank-line.matched': { verb: 'Changed', words: text`Bank line matched` },
    'bank-line.matched-all': { verb: 'Changed', words: text`Bank lines matched by reference` },
    'bank-line.opened': { verb: 'Reversed', words: text`Bank line opened again` },
    'bank-line.set-aside': { verb: 'Changed', words: text`Bank line set aside` },
    'bank-line.taken': { verb: 'Changed', words: text`Money of a bank line taken without a child` },
    'bank_line.exported': { verb: 'Exported', words: text`Bank lines exported` },
    'bank_unseen.exported': { verb: 'Exported', words: text`Payments not seen in the bank exported` },
    'bank-tally.exported': { verb: 'Exported', words: text`Vouchers for Tally exported` },
    'bank-ledger-name.saved': { verb: 'Changed', words: text`Name of a ledger in Tally changed` },
    'bank-day.ticked': { verb: 'Changed', words: text`Total of a day ticked off` },
  },
  records: {
    bank_deposit: {
      kind: text`Deposit slip`,
      findNames: (db, ids) =>
        db.selectFrom('bank_deposit').where('id', 'in', ids).select(['id', 'slip_no as name']).execute(),
    },
    bank_line: {
      kind: text`Bank line`,
      findNames: (db, ids) =>
        db.selectFrom('bank_line').where('id', 'in', ids).select(['id', 'narration as name']).execute(),
    },
    bank_unseen: { kind: text`Payments not seen in the bank`, findNames: async () => [] },
    bank_tally: { kind: text`Vouchers for Tally`, findNames: async () => [] },
    bank_ledger_name: { kind: text`Name of a ledger in Tally`, findNames: async () => [] },
    bank_day_tick: { kind: text`Totals of a day`, findNames: async () => [] },
  },
};
