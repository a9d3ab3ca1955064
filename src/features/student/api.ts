export { lockEnrollments } from './server/placement.ts';
