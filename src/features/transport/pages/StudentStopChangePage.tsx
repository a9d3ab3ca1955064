import { transportPages } from '../contract/pages.ts';
import { stopChanges } from '../contract/stop-change.ts';
import { StopChangeList } from './StopChangeList.tsx';

/** /school-erp/transport/student-stop-change: students who start, change or stop. */
export const StudentStopChangePage = () => (
  <StopChangeList title={transportPages[6].title} changes={stopChanges.Student} />
);
