import * as z from 'zod/mini';
import { admin, staff, studentKeepers } from '#access/contract/grants.ts';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { lookupsAt } from '#features/school/contract/lookup.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf, outputOf } from '#kit/contract/field.ts';
import { chosenId, freeText, id } from '#kit/contract/fields.ts';
import { namedBy } from '#kit/contract/master.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { options, text } from '#kit/contract/text.ts';
import { placeFields } from './add.ts';
import { changes, path, shows } from './record.ts';

/** Who reads leavings and certificates. */
export const leavingReaders = [admin(), staff('office', 'principal')] as const;
/** The fixed reason of those who leave at the end of the last class. */
export const completedReason = text`Completed the last class`;

export const leavingReasons = lookupsAt(`${path}/leaving-reason`, studentKeepers, 'Leaving reason');
export const leavingFields = {
  lastDay: field.date(text`Last day`, { hint: text`The last day on which the student attends.` }),
  reasonId: field.ref(text`Reason`, { to: leavingReasons }),
  conduct: field.text(text`Conduct`, { max: 60 }),
  progress: field.text(text`Progress`, { max: 60 }),
  nextSchool: field.text(text`Next school`, { max: 120, optional: true }),
  remark: field.longText(text`Remark`, { max: 500, optional: true }),
};

/** `New` pays the fees of an admission, `Existing` does not. */
const admissionTypes = options('New', 'Existing');
export const returnFields = {
  joinedOn: field.date(text`First day`),
  gradeId: field.ref(text`Grade`, { to: namedBy(gradeMaster) }),
};
export const admissionTypeField = {
  admissionType: field.oneOf(text`Admission type`, {
    options: admissionTypes,
    optional: true,
    hint: text`If empty: existing within the academic year, new in a later one.`,
  }),
};

export const leaving = z.object({
  id: z.number(),
  saved: z.object(outputOf(leavingFields)),
  reason: z.string(),
  by: z.string(),
  at: z.iso.datetime(),
  /** The day of coming back; '' without one. */
  readmittedOn: z.string(),
  isUndone: z.boolean(),
  undoneBy: z.string(),
  undoReason: z.string(),
});
export type Leaving = z.infer<typeof leaving>;

export const leavingApi = {
  reasons: leavingReasons.options,
  /** The leavings of a student, the latest first, and what may be done now. */
  leavings: endpoint({
    method: 'GET',
    path: `${path}/:id/leaving`,
    access: leavingReaders,
    shows,
    opens: 'student',
    input: z.object({ id }),
    output: z.object({
      leavings: z.array(leaving),
      may: z.object({
        leave: z.boolean(),
        undo: z.boolean(),
        readmit: z.boolean(),
        /** In the first weeks of an enrolment: the child never came. */
        neverJoined: z.boolean(),
        undoNeverJoined: z.boolean(),
      }),
    }),
  }),
  /** Ends the enrolment by date, after a preview of what ends. A leaving that is not handed out yet is replaced. */
  leave: endpoint({
    method: 'POST',
    path: `${path}/:id/leave`,
    access: studentKeepers,
    opens: 'student',
    changes: [...changes, 'section'],
    input: z.object({ id, ...inputOf(leavingFields), confirmToken }),
    output: previewed({ ends: z.array(anyText), owes: z.array(anyText), blocks: z.array(anyText) }),
  }),
  /** Restores what the leaving ended, after a preview. */
  undo: endpoint({
    method: 'POST',
    path: `${path}/:id/leave/undo`,
    access: studentKeepers,
    opens: 'student',
    changes: [...changes, 'section'],
    input: z.object({ id, reason: freeText(text`Reason`, 300), confirmToken }),
    output: previewed({ returns: z.array(anyText), blocks: z.array(anyText) }),
  }),
  /** Enrols a student who left: the same person with the same GR number. */
  readmit: endpoint({
    method: 'POST',
    path: `${path}/:id/readmit`,
    access: studentKeepers,
    changes: [...changes, 'section'],
    input: z.object({
      id,
      ...inputOf(returnFields),
      sectionId: chosenId(text`Section`),
      ...inputOf(placeFields),
      ...inputOf(admissionTypeField),
    }),
    output: z.object({ enrollmentId: z.number() }),
  }),
};
