export { lockEnrollments, notInGradeMessage } from './server/placement.ts';
