import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'section-student.moved': text`Moved to another section`,
    'section-student.promoted': text`Recorded the year-end decision`,
    'section-student.numbered': text`Changed roll numbers`,
    'section-student.roll-locked': text`Locked the roll numbers`,
    'section-student.roll-unlocked': text`Unlocked the roll numbers`,
    'section-student.rolls-imported': text`Imported roll numbers`,
    'section-student.exported': text`Exported students`,
    'student.created': text`Added the student`,
    'student.changed': text`Changed the student`,
    'student.guardian-added': text`Added a guardian`,
    'student.guardian-changed': text`Changed a guardian`,
    'student.guardian-first': text`Chose the guardian to call first`,
    'student.guardian-removed': text`Removed a guardian`,
    'guardian.found-by-number': text`Found a guardian by mobile number`,
    'student.address-changed': text`Changed the address`,
    'student.schooling-added': text`Added a previous school`,
    'student.schooling-changed': text`Changed a previous school`,
    'student.schooling-removed': text`Removed a previous school`,
    'student.health-saved': text`Changed the health answers`,
    'student.health-revealed': text`Read the health answers`,
    'student.aadhaar-revealed': text`Read the Aadhaar number`,
    'student.photo-saved': text`Changed the photo`,
    'student.photo-removed': text`Removed the photo`,
    'student.exported': text`Exported the student list`,
    'student.fields-exported': text`Exported chosen fields of students`,
    'student.id-cards-printed': text`Printed ID cards of students`,
    'student.class-list-printed': text`Printed a class list`,
    'student.import-started': text`Started an import of students`,
    'student.refused-rows-saved': text`Downloaded the rows that an import refused`,
  },
  records: {
    guardian: {
      kind: text`Guardian`,
      findNames: (db, ids) => db.selectFrom('guardian').where('id', 'in', ids).select(['id', 'name']).execute(),
    },
    student: {
      kind: text`Student`,
      findNames: (db, ids) => db.selectFrom('student').where('id', 'in', ids).select(['id', 'name']).execute(),
    },
  },
};
