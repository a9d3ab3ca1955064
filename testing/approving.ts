import { approvalApi } from '#features/approval/contract/approval.ts';
import type { Person } from './browser.ts';
import type { School } from './school.ts';

/** A decider approves the latest request that waits. */
export async function approve({ sql }: Pick<School, 'sql'>, who: Person): Promise<void> {
  const [request] = await sql(`select max(id) as id from approval where status = 'Pending'`);
  const id = Number(request?.id);
  const { version, seen } = await who.call(approvalApi.read, { id });
  await who.call(approvalApi.decide, { id, version, seen, outcome: 'Approved', remark: '' });
}
