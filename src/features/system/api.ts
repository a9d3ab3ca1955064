export { noteAlerts, postAlerts } from './server/alert.ts';
