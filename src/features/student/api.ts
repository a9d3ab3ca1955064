export {
  effectiveOn as holdsOn,
  lockEnrollments as holdEnrollments,
  orderByStudentName as byName,
  studentName,
} from './server/placement.ts';
