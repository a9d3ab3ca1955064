/** Weekly offs and a list of holidays, of the calendar's tab and of setting up. */
export { CalendarImport } from '../pages/CalendarImport.tsx';
