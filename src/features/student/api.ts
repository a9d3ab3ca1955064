export { byName, holdEnrollments, holdsOn, studentName } from './server/placement.ts';
