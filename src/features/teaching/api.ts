export { sectionsTaught } from './server/taught.ts';
export { endTeaching } from './server/teacher-leaving.ts';
