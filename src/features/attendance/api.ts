export { absentOn, percentOf } from './server/child-days.ts';
