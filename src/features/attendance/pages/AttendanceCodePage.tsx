import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { listsOf } from '#kit/browser/master/master-lists.tsx';
import { attendanceMasters } from '../contract/masters.ts';
import { codePage } from '../contract/pages.ts';
import { TwiceTab } from './TwiceTab.tsx';

/** /school-erp/attendance/attendance-code: the marks of a register, and how many registers a day has. */
export const AttendanceCodePage = () => (
  <MastersPage page={codePage} bodies={{ ...listsOf(attendanceMasters), twice: <TwiceTab /> }} />
);
