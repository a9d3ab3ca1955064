export { busOf } from './server/bus.ts';
