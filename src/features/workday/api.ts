export { type Weighed, weigh } from './server/cost.ts';
export { balancesOf as balanceOf } from './server/person.ts';
