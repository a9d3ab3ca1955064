export { absentOn, percentOf } from './server/child-days.ts';
export { leftOn } from './server/exit.ts';
