import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// A page lays out with the parts of `kit/browser/ui/Layout.tsx`, so its own sheet says nothing of flex or grid.

/** The sheets that still do, and in how many rules. It only shrinks. */
const exceptions: Readonly<Record<string, number>> = {
  // Pages that parents load on a phone: a part costs them more bytes than the rule.
  'src/features/admission-form/pages/CheckAnswers.module.css': 1,
  'src/features/admission-form/pages/Checklist.module.css': 2,
  'src/features/admission-form/pages/CorrectionNotice.module.css': 2,
  'src/features/admission-form/pages/Documents.module.css': 1,
  'src/features/admission-form/pages/SiblingNotice.module.css': 1,
  'src/features/admission-form/pages/Steps.module.css': 2,
  'src/features/admission-form/pages/SubmittedPage.module.css': 1,
  'src/features/admission-form/ui/BirthDateField.module.css': 1,
  'src/features/admission-form/ui/LockedFacts.module.css': 2,
  'src/features/family/pages/FamilyPage.module.css': 4,
  'src/features/family/ui/Block.module.css': 1,
  'src/features/attendance/ui/FamilyMonth.module.css': 1,
  'src/features/fee-money/ui/FamilyDues.module.css': 2,
  'src/features/transport/ui/FamilyBus.module.css': 1,
  'src/features/homework/ui/FamilyPart.module.css': 1,
  // Elements whose box differs by the width of the window or is drawn by another component.
  'src/app/shell/Shell.module.css': 3,
  'src/app/shell/SideMenu.module.css': 1,
  'src/app/shell/print.css': 1,
  'src/app/shell/shell.css': 6,
  'src/features/admission/pages/CaptureFields.module.css': 1,
  'src/features/admission/pages/FileViewer.module.css': 2,
  'src/features/admission/pages/account/AccountPage.module.css': 1,
  'src/features/admission/pages/review/AskBox.module.css': 1,
  'src/features/admission/pages/review/ReviewPage.module.css': 3,
  'src/features/attendance/pages/DailyAttendancePage.module.css': 1,
  'src/features/attendance/pages/RegisterGrid.module.css': 3,
  'src/features/attendance/pages/StudentAttendancePage.module.css': 4,
  'src/features/calendar/pages/MonthGrid.module.css': 4,
  'src/features/fee-price/pages/FrequencyFields.module.css': 1,
  'src/features/fee-price/pages/StructurePrices.module.css': 1,
  'src/features/fee-money/pages/Counter.module.css': 1,
  'src/features/fee-money/pages/PrintReceipts.module.css': 3,
  'src/features/homework/pages/CheckGrid.module.css': 1,
  'src/features/notification/ui/NotificationPanel.module.css': 1,
  'src/features/report/pages/report.module.css': 2,
  'src/features/search/ui/FindBox.module.css': 1,
  'src/features/sign-in/pages/sign-in.css': 4,
  'src/features/student/pages/section-student.css': 1,
  'src/features/teaching/pages/TeacherMatrix.module.css': 2,
  'src/features/transport/pages/TransportTiles.module.css': 1,
};

interface Sheet {
  path: string;
  text: string;
}

const withoutComments = (text: string) =>
  text
    .split('/*')
    .map((part, place) => (place === 0 ? part : part.slice(part.indexOf('*/') + 2)))
    .join('');

/** The rules of a sheet that make something a flex box or a grid. */
export const layoutsIn = (text: string): string[] =>
  [...withoutComments(text).matchAll(/display: (?:inline-)?(?:flex|grid)\b/g)].map(([rule]) => rule);

/** Lists sheets with more such rules than allowed, and exceptions that allow more than there are. */
export const pageLayouts = (sheets: readonly Sheet[], allowed = exceptions): string[] => [
  ...sheets.flatMap(({ path, text }) => {
    const [count, most] = [layoutsIn(text).length, allowed[path] ?? 0];
    if (count > most)
      return [
        `${path} has ${count} rules with flex or grid, not ${most}. Use Row, Stack or Grid of kit/browser/ui/Layout.tsx.`,
      ];
    return count < most
      ? [`${path} has only ${count} rules with flex or grid. Lower its number in scripts/page-layout.ts.`]
      : [];
  }),
  ...Object.keys(allowed)
    .filter((path) => sheets.every((sheet) => sheet.path !== path))
    .map((path) => `${path} is no sheet any more. Remove it from scripts/page-layout.ts.`),
];

/** Pages that put a menu into the menu of a row: a record list makes that menu, and its actions are the items. */
export const menusInMenus = (pages: readonly Sheet[]): string[] =>
  pages
    .filter(({ text }) => text.includes('<RecordList') && text.includes('<RowMenu'))
    .map(({ path }) => `${path} has a RowMenu beside a RecordList, which makes one. Give it the items alone.`);

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const read = (pattern: string) =>
    globSync(pattern, { cwd: root }).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  const problems = [
    ...pageLayouts(read('src/{app,features}/**/*.css')),
    ...menusInMenus(read('src/{app,features}/**/*.tsx')),
  ];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
