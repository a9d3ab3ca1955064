export { clampToYear, sectionName } from './server/section.ts';
