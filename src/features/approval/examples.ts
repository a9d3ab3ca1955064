import type { Examples } from '#testing/examples.ts';

export const examples: Examples = {
  exports: {
    'GET /approval/export': async ({ school, office, here }) => {
      await school.sql(`with structure as (insert into fee_structure (name, academic_year_id, branch_id, program_id, admission_type, edited_by)
          select 'Prices', ${here.academicYearId}, ${here.branchId}, ${here.programId}, 'All students', min(id) from staff returning id, edited_by)
        insert into approval (kind, fee_structure_id, title, requested_by, requested_at)
        select 'fee.structure', id, '{"id": "Prices"}', (select staff_id from sign_in_account where id = ${office.id}), now() from structure`);
      return { url: '/approval/export?as=csv&tab=own', by: office };
    },
  },
};
