export { homeworkOf } from './server/child-homework.ts';
