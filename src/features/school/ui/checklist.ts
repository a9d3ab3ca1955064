/** The first steps of a school, also for the dashboard. */
export { Checklist } from '../pages/Checklist.tsx';
