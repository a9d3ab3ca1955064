import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'home-payment.entered': { verb: 'Created', words: text`Payment from home entered by a family` },
    'home-payment.corrected': { verb: 'Changed', words: text`Payment from home corrected` },
    'home-payment.taken': { verb: 'Changed', words: text`Payment from home taken` },
    'home-payment.moved': { verb: 'Changed', words: text`Payment from home moved to another receipt series` },
    'home-payment.not-found': { verb: 'Changed', words: text`Payment from home not found` },
    'home-payment.opened': { verb: 'Reversed', words: text`Payment from home looked for again` },
    'home_payment.exported': { verb: 'Exported', words: text`Payments from home exported` },
  },
  records: {
    home_payment: {
      kind: text`Payment from home`,
      findNames: (db, ids) =>
        db.selectFrom('home_payment').where('id', 'in', ids).select(['id', 'reference as name']).execute(),
    },
  },
};
