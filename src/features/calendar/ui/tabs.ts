/** The calendar's tabs of the Academic Master. */
export { CalendarTab } from '../pages/CalendarTab.tsx';
export { YearTab } from '../pages/YearTab.tsx';
