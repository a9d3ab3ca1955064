export { absentOn, monthOf, percentOf } from './server/child-days.ts';
