import { transportPages } from '../contract/pages.ts';
import { stopChanges } from '../contract/stop-change.ts';
import { StopChangeList } from './StopChangeList.tsx';

/** /school-erp/transport/staff-stop-change: staff who start, change or stop. */
export const StaffStopChangePage = () => <StopChangeList title={transportPages[5].title} changes={stopChanges.Staff} />;
