import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// A page lays out with the parts of `kit/browser/ui/Layout.tsx`, so its own sheet says nothing of flex or grid.

/** What a parent loads on a phone: the parts of the layout cost its page more bytes than the rule. */
const parents = 'a page that parents load on a phone, where the parts cost more bytes';
/** What another component draws, which takes a class and no part. */
const drawn = 'an element that another component draws';
/** A table whose rows become lines, or a line that becomes a grid, in a narrow window or on paper. */
const narrow = 'a box in a narrow window or on paper alone';
const beside = 'a link or button with an icon beside its word';
const shell = 'the frame of every page, in the first paint';

/** The sheets that still do, in how many rules, and why. It only shrinks. */
const exceptions: Readonly<Record<string, readonly [rules: number, reason: string]>> = {
  'src/features/admission-form/pages/CheckAnswers.module.css': [1, parents],
  'src/features/admission-form/pages/Checklist.module.css': [2, parents],
  'src/features/admission-form/pages/CorrectionNotice.module.css': [2, parents],
  'src/features/admission-form/pages/Documents.module.css': [1, parents],
  'src/features/admission-form/pages/SiblingNotice.module.css': [1, parents],
  'src/features/admission-form/pages/Steps.module.css': [2, parents],
  'src/features/admission-form/pages/SubmittedPage.module.css': [1, parents],
  'src/features/admission-form/ui/BirthDateField.module.css': [1, parents],
  'src/features/admission-form/ui/LockedFacts.module.css': [2, parents],
  'src/features/family/pages/FamilyPage.module.css': [4, parents],
  'src/features/family/ui/Block.module.css': [1, parents],
  'src/features/attendance/ui/FamilyMonth.module.css': [1, parents],
  'src/features/fee-money/ui/FamilyDues.module.css': [2, parents],
  'src/features/transport/ui/FamilyBus.module.css': [1, parents],
  'src/features/homework/ui/FamilyPart.module.css': [1, parents],
  'src/app/shell/Shell.module.css': [2, shell],
  'src/app/shell/SideMenu.module.css': [1, beside],
  'src/app/shell/print.css': [1, narrow],
  'src/app/shell/shell.css': [6, shell],
  'src/features/admission/pages/FileViewer.module.css': [
    2,
    'the page of a file, whose picture takes the height that is left; and links that are icons',
  ],
  'src/features/admission/pages/account/AccountPage.module.css': [1, drawn],
  'src/features/admission/pages/review/AskBox.module.css': [1, drawn],
  'src/features/admission/pages/review/ReviewPage.module.css': [
    3,
    'documents that cover the page of a phone, and links with an icon beside their word',
  ],
  'src/features/attendance/pages/RegisterGrid.module.css': [
    3,
    'rows with the places of marks, given to lists and buttons by their names',
  ],
  'src/features/attendance/pages/StudentAttendancePage.module.css': [
    3,
    'a page as high as its window, and links of tabs that another component draws',
  ],
  'src/features/calendar/pages/MonthGrid.module.css': [
    3,
    'a day that is a cell in a wide window and a line in a narrow one',
  ],
  'src/features/fee-money/pages/Counter.module.css': [1, narrow],
  'src/features/fee-money/pages/PrintReceipts.module.css': [
    2,
    'a receipt as high as its half of the sheet, and rows on narrow paper',
  ],
  'src/features/homework/pages/CheckGrid.module.css': [1, narrow],
  'src/features/notification/ui/NotificationPanel.module.css': [1, drawn],
  'src/features/report/pages/report.module.css': [1, narrow],
  'src/features/search/ui/FindBox.module.css': [1, drawn],
  'src/features/sign-in/pages/sign-in.css': [4, 'the first page that anybody loads, without the parts'],
  'src/features/student/pages/section-student.css': [1, narrow],
  'src/features/teaching/pages/TeacherMatrix.module.css': [2, narrow],
};
const rulesAllowed = Object.fromEntries(Object.entries(exceptions).map(([path, [rules]]) => [path, rules]));

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
export const pageLayouts = (
  sheets: readonly Sheet[],
  allowed: Readonly<Record<string, number>> = rulesAllowed,
): string[] => [
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
