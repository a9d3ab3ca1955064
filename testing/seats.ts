import { processApi } from '#features/admission/contract/process.ts';
import { seatApi } from '#features/admission/contract/seat.ts';
import { admission } from '#features/admission/server/feature.ts';
import type { Person } from './browser.ts';
import { finishRun } from './runs.ts';
import type { School } from './school.ts';

/** A row of the seat plan with two seats to give. */
export const usualSeats = {
  total: 3,
  reserved: 1,
  interaction: 'None',
  admissionFee: '15,000',
  offerDays: 7,
  opensOn: '',
  closesOn: '',
};

/** Does every run that was started, as the worker does once its time has come. */
export async function doRuns(school: School) {
  await school.sql('update run set begins_at = null where finished_at is null');
  const runs = await school.sql('select id from run where finished_at is null order by id');
  for (const { id } of runs) await finishRun(school.services, admission.runs, Number(id));
}

/** Plans seats and decides about applications as an admission head does. */
export function openSeats(school: School, head: Person) {
  let grades = 0;
  /** A row of the seat plan in a grade of its own, and a way to add verified applications for it. */
  const planned = async (over: object = {}) => {
    const { id } = await school.inquiry();
    const [place] = await school.sql(`select academic_year_id as "academicYearId", branch_id as "branchId",
      program_id as "programId" from admission_inquiry where id = ${id}`);
    const [grade] = await school.sql(`select id from academic_grade order by position desc offset ${grades} limit 1`);
    grades++;
    const gradeId = Number(grade?.id);
    const draft = { ...place, gradeId, quota: 'General', ...usualSeats, ...over };
    const row = await head.call(seatApi.create, draft as never);
    const family = async (quota = 'General') => {
      const opened = await school.inquiry({ fatherEmail: `family${crypto.randomUUID()}@family.example` });
      await school.sql(`update admission_inquiry set state = 'Verified', received_at = now(), submitted_at = now(),
        grade_id = ${gradeId}, quota = '${quota}' where id = ${opened.id}`);
      return opened;
    };
    const verified = async (quota = 'General') => (await family(quota)).id;
    const seat = async () => {
      const { rows } = await head.call(seatApi.list, { academicYearId: String(place?.academicYearId) } as never);
      const found = rows.find((one) => one.id === row.id);
      if (!found) throw new Error('The row is not listed.');
      return found;
    };
    return { id: row.id, place, gradeId, family, verified, seat };
  };

  const chosen = (ids: number[]) => ({ ids, isAll: false, query: {} });

  /** Previews a decision, and applies what can be. */
  const decide = async (kind: string, ids: number[], over: object = {}) => {
    const input = { kind, seatQuota: '', conditions: '', offerUntil: '', note: '', selection: chosen(ids), ...over };
    const preview = await head.call(processApi.decide, input as never);
    if (!preview.confirmToken) return preview;
    return head.call(processApi.decide, { ...input, confirmToken: preview.confirmToken } as never);
  };

  const undo = async (ids: number[]) => {
    const preview = await head.call(processApi.undo, { selection: chosen(ids) });
    if (!preview.confirmToken) return preview;
    return head.call(processApi.undo, { selection: chosen(ids), confirmToken: preview.confirmToken });
  };

  /** Releases held decisions and does the run. */
  const release = async (ids: number[], over: object = {}) => {
    const input = { selection: chosen(ids), day: '', hour: '', ...over };
    const preview = await head.call(processApi.release, input as never);
    if (!preview.confirmToken) return preview;
    await head.call(processApi.release, { ...input, confirmToken: preview.confirmToken } as never);
    await doRuns(school);
    return preview;
  };
  return { planned, decide, undo, release, chosen };
}
