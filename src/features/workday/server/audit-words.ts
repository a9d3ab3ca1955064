import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'workday-leave.asked': { verb: 'Created', words: text`Asked for leave` },
    'workday-leave.granted': { verb: 'Decided', words: text`Granted leave` },
    'workday-leave.rejected': { verb: 'Decided', words: text`Rejected leave` },
    'workday-leave.cancelled': { verb: 'Reversed', words: text`Cancelled leave` },
    'workday-leave.shortened': { verb: 'Changed', words: text`Ended leave earlier` },
    'workday-leave.paper-saved': { verb: 'Changed', words: text`Saved a paper of leave` },
    'workday-leave.paper-opened': { verb: 'Viewed', words: text`Opened a paper of leave` },
    'workday_leave.exported': { verb: 'Exported', words: text`Exported` },
    'workday.presence': { verb: 'Changed', words: text`Marked the presence of staff` },
    'workday.carried': { verb: 'Changed', words: text`Carried leave over to the next year` },
    'workday.opening': { verb: 'Created', words: text`Imported opening balances of leave` },
    'workday.punches': { verb: 'Changed', words: text`Imported punches of staff` },
    'workday-month.closed': { verb: 'Decided', words: text`Closed a month of the staff` },
    'workday-month.reopened': { verb: 'Reversed', words: text`Reopened a month of the staff` },
    'workday-month.exported': { verb: 'Exported', words: text`Exported a month of the staff` },
    'workday.credit': { verb: 'Changed', words: text`Credited leave` },
    'workday.person-shift': { verb: 'Changed', words: text`Gave a member of staff a shift` },
    'workday.usual-added': { verb: 'Created', words: text`Added the usual shifts and leave types` },
  },
  records: {
    workday: { kind: text`Working days of staff` },
    workday_month: { kind: text`Month of the staff` },
    workday_leave: { kind: text`Leave of staff` },
  },
};
