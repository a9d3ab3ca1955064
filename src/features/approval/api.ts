export { requestApproval } from './server/request.ts';
