export { addStudents } from './server/add-students.ts';
export { studentsByNumber } from './server/by-number.ts';
export { listNames } from './server/list-names.ts';
export { contactsOf, rosterOf, siblingsOf } from './server/people.ts';
export { lockEnrollments, notInGradeMessage } from './server/placement.ts';
export { readmitStudent } from './server/readmit.ts';
export { findReturning } from './server/returning.ts';
export { sectionsWithSeats } from './server/seats.ts';
