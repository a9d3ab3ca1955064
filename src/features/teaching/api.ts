export { copyTeachers } from './server/teacher-copy.ts';
