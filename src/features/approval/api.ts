export { requestApproval, requestApprovals, withdrawApproval } from './server/request.ts';
