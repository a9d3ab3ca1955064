export { clampToYear } from './server/section.ts';
