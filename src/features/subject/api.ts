export { addUsualSubjects } from './server/usual-subjects.ts';
