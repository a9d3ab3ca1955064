export { addStudents } from './server/add-students.ts';
export { listNames } from './server/list-names.ts';
export { lockEnrollments, notInGradeMessage } from './server/placement.ts';
