import { admin, staff } from '#access/contract/grants.ts';
import { field } from '#kit/contract/field.ts';
import { defineMaster } from '#kit/contract/master.ts';
import { options, text } from '#kit/contract/text.ts';

/** What a code means for totals, colours and messages. */
const codeKinds = options('Present', 'Absent', 'Leave', 'Late', 'Half day', 'On duty');

const usedCode = text`Registers use this code, so its meaning can’t change. Add another code instead.`;

export const codeMaster = defineMaster({
  table: 'attendance_code',
  path: '/attendance/code',
  singular: text`attendance code`,
  plural: text`attendance codes`,
  description: text`The marks of a register, such as P for present.`,
  access: [admin()],
  optionAccess: [admin(), staff('classTeacher', 'subjectTeacher', 'office', 'principal')],
  fields: {
    code: field.text(text`Code`, { max: 3, width: 'short' }),
    key: field.text(text`Key`, {
      max: 1,
      like: /^[A-Z]$/,
      message: text`Use one capital letter.`,
      width: 'short',
      hint: text`The letter that marks a student with this code.`,
    }),
    name: field.text(text`Name`, { max: 40 }),
    kind: field.oneOf(text`Kind`, { options: codeKinds }),
    value: field.number(text`Half days present`, {
      least: 0,
      most: 2,
      hint: text`2 for a whole day, 1 for half a day, 0 for none.`,
    }),
    countsInTotal: field.yesNo(text`In totals`, { hint: text`Counts in percentages.` }),
    needsTime: field.yesNo(text`With time`, { hint: text`Asks for the time of arrival.` }),
    teacherMayUse: field.yesNo(text`For teachers`, {
      hint: text`Teachers may use it, not only the office and the principal.`,
    }),
  },
  labelFields: ['name'],
  key: ['code'],
  isOrdered: true,
  constraintMessages: {
    attendance_code_one_key: { field: 'key', message: text`Another active code has this key.` },
    attendance_code_used: { field: 'code', message: usedCode },
  },
});

export const attendanceMasters = [codeMaster] as const;
