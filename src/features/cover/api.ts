export { coversOn } from './server/on-day.ts';
