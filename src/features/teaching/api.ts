export { rightsOnDay } from './server/rights-on-day.ts';
