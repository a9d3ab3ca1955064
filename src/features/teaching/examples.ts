import type { Examples } from '#testing/examples.ts';

export const examples: Examples = {
  exports: {
    'GET /academic/section-teacher/export': async ({ school, here }) => {
      const { academicYearId, branchId, programId, gradeId, sectionId } = here;
      await school.sql(`insert into academic_section_teacher (academic_year_id, branch_id, program_id, grade_id, section_id,
          staff_id, role, effective_from)
        select id, ${branchId}, ${programId}, ${gradeId}, ${sectionId}, (select min(id) from staff), 'Class teacher', starts_on
        from academic_year where id = ${academicYearId} on conflict do nothing`);
      const place = `academicYearId=${academicYearId}&gradeId=${gradeId}&sectionId=${sectionId}`;
      return { url: `/academic/section-teacher/export?${place}&on=&as=csv&staffId=` };
    },
  },
};
