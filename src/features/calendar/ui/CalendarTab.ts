/** The calendar's tab of the Academic Master. */
export { CalendarTab } from '../pages/CalendarTab.tsx';
