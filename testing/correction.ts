import type { Family, School } from './school.ts';

interface Requested {
  /** The member of staff who asks for it. */
  staffId: number;
  pages: readonly number[];
  remarks?: readonly { section: string; field: string; remark: string }[];
}

/** Reopens pages of a submitted form, as the office does when it asks a family to correct them. */
export async function requestCorrection(
  { sql }: Pick<School, 'sql'>,
  { id }: Family,
  { staffId, pages, remarks = [] }: Requested,
) {
  const open = `'{${pages.join(',')}}'`;
  await sql(`update admission_inquiry set state = 'Correction requested', status = 'Correction needed',
    open_pages = ${open}, submitted_at = null where id = ${id}`);
  const [correction] = await sql(`insert into admission_correction (inquiry_id, pages, staff_id, requested_at)
    values (${id}, ${open}, ${staffId}, now()) returning id`);
  for (const { section, field, remark } of remarks) {
    await sql(`insert into admission_remark (inquiry_id, section, field, remark, correction_id)
      values (${id}, '${section}', '${field}', '${remark}', ${correction?.id})`);
  }
}
