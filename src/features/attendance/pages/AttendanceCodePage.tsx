import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { listsOf } from '#kit/browser/master/master-lists.tsx';
import { attendanceMasters } from '../contract/masters.ts';
import { codePage } from '../contract/pages.ts';

/** /school-erp/attendance/attendance-code: the marks of a register. */
export const AttendanceCodePage = () => <MastersPage page={codePage} bodies={listsOf(attendanceMasters)} />;
