import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, id } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';
import { envelope, formKeys, noInput, path } from './form.ts';

export const educationDraft = z.object({
  ...formKeys,
  fromGrade: freeText(text`From Grade`, 50),
  toGrade: freeText(text`To Grade`, 50),
  boardName: freeText(text`Board`, 100),
  schoolName: freeText(text({ message: 'School', context: 'attended before' }), 300),
  city: freeText(text`City`, 100),
});

export const education = z.object({
  studentAdmissionChildEducationHistoryID: z.number(),
  fromGrade: z.string(),
  toGrade: z.string(),
  boardName: z.string(),
  schoolName: z.string(),
  city: z.string(),
  admissionID: z.number(),
  inquiryNo: z.string(),
  createdBy: z.number(),
});
export type Education = z.infer<typeof education>;

export const educationSaved = text`Child's - Education History save Successfully`;
export const educationRemoved = text`Child's - Education History deleted Successfully`;

const output = envelope('lstStudentAdmissionChildEducationHistoryModel', education);
const url = `${path}/education-history`;

export const educationApi = {
  list: endpoint({ method: 'GET', path: url, access: 'link', envelope: true, input: noInput, output }),
  add: endpoint({ method: 'POST', path: url, access: 'link', envelope: true, input: educationDraft, output }),
  remove: endpoint({
    method: 'DELETE',
    path: `${url}/:id`,
    access: 'link',
    envelope: true,
    input: z.extend(noInput, { id }),
    output,
  }),
};
