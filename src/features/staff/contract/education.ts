import * as z from 'zod/mini';
import { signedIn, staffKeepers } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, id, optionalFreeText, rule } from '#kit/contract/fields.ts';
import { calendarDay, neededId, wholeNumber } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { changes, shows } from './record.ts';

const path = '/staff';
const qualification = z.object({
  id: z.number(),
  name: z.string(),
  isTeacherTraining: z.boolean(),
  subject: z.string(),
  institute: z.string(),
  year: z.nullable(z.number()),
  result: z.string(),
});
export type Qualification = z.infer<typeof qualification>;
const qualificationFields = {
  qualificationId: neededId(text`Qualification`),
  subject: optionalFreeText(text`Subject`, 100),
  institute: optionalFreeText(text`Institute`, 100),
  year: wholeNumber(text`Year`, {
    least: 1940,
    most: 2100,
    optional: true,
    invalid: text`Enter a year from 1940 to 2100.`,
  }),
  result: optionalFreeText(text`Result`, 20),
};

export const experience = z.object({
  id: z.number(),
  employer: z.string(),
  jobTitle: z.string(),
  fromDay: z.string(),
  /** '' while it lasts. */
  untilDay: z.string(),
});
export type Experience = z.infer<typeof experience>;
const experienceFields = {
  employer: freeText(text`Employer`, 100),
  jobTitle: freeText(text`Designation`, 100),
  fromDay: calendarDay(text`From`),
  untilDay: calendarDay(text`Until`, true),
};

export const educationApi = {
  /** For the person and the keepers; to everyone else the record has no such part. */
  education: endpoint({
    method: 'GET',
    path: `${path}/:id/education`,
    opens: 'staff',
    access: signedIn,
    shows: [...shows, 'qualification'],
    input: z.object({ id }),
    output: z.object({ qualifications: z.array(qualification), experience: z.array(experience) }),
  }),
  addQualification: endpoint({
    method: 'POST',
    path: `${path}/:id/qualification`,
    access: staffKeepers,
    changes,
    input: z.object({ id, ...qualificationFields }),
    output: z.object({}),
  }),
  removeQualification: endpoint({
    method: 'DELETE',
    path: `${path}/:id/qualification/:qualification`,
    access: staffKeepers,
    changes,
    input: z.object({ id, qualification: id }),
    output: z.object({}),
  }),
  addExperience: endpoint({
    method: 'POST',
    path: `${path}/:id/experience`,
    access: staffKeepers,
    changes,
    input: z.object({ id, ...experienceFields }).check(
      rule<{ fromDay: string; untilDay: string }>(({ fromDay, untilDay }, say) => {
        if (fromDay && untilDay && untilDay < fromDay) say('untilDay', text`Enter a day on or after the first day.`);
      }),
    ),
    output: z.object({}),
  }),
  removeExperience: endpoint({
    method: 'DELETE',
    path: `${path}/:id/experience/:experience`,
    access: staffKeepers,
    changes,
    input: z.object({ id, experience: id }),
    output: z.object({}),
  }),
};
