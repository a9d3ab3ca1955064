import { separationReasonMaster } from '#features/hris/contract/masters.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { toAccount } from '#testing/addressed.ts';
import type { Examples } from '#testing/examples.ts';
import { plant } from '#testing/masters.ts';
import { staffList } from './contract/list.ts';

export const examples: Examples = {
  exports: {
    'GET /staff/export': async () => ({ url: '/staff/export?as=csv' }),
    'POST /staff/id-card': async ({ admin }) => ({ url: '/staff/id-card', body: { ids: [admin.staffId] } }),
  },
  reported: {
    'POST /staff/:id/relieve': async ({ school, admin }) => {
      const { staffId } = await school.person();
      const reason = await plant(school, separationReasonMaster);
      const body = { lastDay: toLocalDate(new Date()), separationReasonId: reason.id };
      const relieve = (more: object) =>
        admin.send({ method: 'POST', url: `/api/staff/${staffId}/relieve`, body: { ...body, ...more } });
      const { json } = await relieve({});
      return () => relieve({ confirmToken: json.confirmToken });
    },
  },
  messages: {
    'staff.documents-due': async (school) => {
      const { staffId } = await school.person();
      await school.sql(`with paper as (
          insert into file (id, owner, owner_id, media_type, name, bytes, sha256)
          values (gen_random_uuid(), 'staff', ${staffId}, 'image/png', 'x.png', 1, sha256('x')) returning id)
        insert into staff_document (staff_id, document_type_id, file_id, expires_on, status, decided_by, decided_at)
        select ${staffId}, min(type.id), min(paper.id::text)::uuid, current_date - 1, 'Verified', ${staffId}, now()
        from hris_document_type type, paper`);
      return toAccount(school, { isAdmin: true });
    },
  },
  rows: (_, admin) =>
    admin.call(staffList.api.saveView, { name: 'Teachers', isShared: true, address: {}, columns: ['name'] }),
};
