export { requestApproval, withdrawApproval } from './server/request.ts';
