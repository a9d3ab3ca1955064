export { dayOf, sectionName } from './server/section.ts';
