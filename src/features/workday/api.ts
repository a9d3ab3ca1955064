export { awayOn, peopleWithLeave, worksOn } from './server/away.ts';
export { type Weighed, weigh } from './server/cost.ts';
export { balancesOf as balanceOf } from './server/person.ts';
