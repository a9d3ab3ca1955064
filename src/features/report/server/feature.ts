import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { reportPages } from '../contract/pages.ts';
import { marksCard } from './marks-card.ts';
import { staffReportRoutes } from './staff.ts';
import { studentReportRoutes } from './student.ts';

export const report = serverFeature({
  pages: reportPages,
  routes: [...studentReportRoutes, ...staffReportRoutes],
  recordCards: [marksCard],
  auditArea: text`Reports`,
  auditWords: {
    actions: {
      'student-report.exported': { verb: 'Exported', words: text`Exported the list of the student report` },
      'staff-report.exported': { verb: 'Exported', words: text`Exported the list of the staff report` },
      'report.card-opened': { verb: 'Viewed', words: text`Opened a restricted card of the report` },
      'report.printed': { verb: 'Printed', words: text`Made a PDF of the report` },
      'report.section-list-printed': { verb: 'Printed', words: text`Made a PDF of the reports of a section` },
    },
    records: {
      'student-report': { kind: text`Student report` },
      'staff-report': { kind: text`Staff report` },
    },
  },
});
