export { sectionsTaught } from './server/taught.ts';
export { copyTeachers } from './server/teacher-copy.ts';
export { endTeaching } from './server/teacher-leaving.ts';
