import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, isRequired, mobile, optionalFreeText, rule, tick } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { text } from '#kit/contract/text.ts';
import { envelope, formKeys, noInput, path, stamps } from './form.ts';

const mobileWords = { required: text`Mobile No is required` };
const [father, mother] = [text`Father`, text`Mother`];

export const additionalInfoDraft = z
  .object({
    ...formKeys,
    emergencyContact1FirstName: freeText(text`First Name`, 50),
    emergencyContact1LastName: freeText(text`Last Name`, 50),
    emergencyContact1MobileNo: mobile(text`Mobile No`, mobileWords),
    emergencyContact1Relationship: freeText(text`Relationship with the child`, 50),
    emergencyContact2FirstName: freeText(text`First Name`, 50),
    emergencyContact2LastName: freeText(text`Last Name`, 50),
    emergencyContact2MobileNo: mobile(text`Mobile No`, mobileWords),
    emergencyContact2Relationship: freeText(text`Relationship with the child`, 50),
    isMedicalEmergencyAuthorized: tick(text`Medical emergency authorization`),
    timeSpentWithChildFather: optionalFreeText(father, 1000),
    timeSpentWithChildMother: optionalFreeText(mother, 1000),
    parentingBeliefAndPhilosophy: freeText(text`What matters to you in bringing up your child?`, 1000),
    reasonsForAdmission: freeText(text`Why would you like your child to come to this school?`, 1000),
    /** Not sent: the server and the page add what the inquiry says. */
    detailsNotApplicable: z._default(listOf(z.enum(['father', 'mother']), { most: 2 }), []),
  })
  .check(
    rule((draft, say) => {
      const asked = (who: 'father' | 'mother') => !draft.detailsNotApplicable?.includes(who);
      if (asked('father') && !draft.timeSpentWithChildFather) say('timeSpentWithChildFather', isRequired(father));
      if (asked('mother') && !draft.timeSpentWithChildMother) say('timeSpentWithChildMother', isRequired(mother));
    }),
  );

export const additionalInfo = z.object({
  admissionID: z.number(),
  inquiryNo: z.string(),
  emergencyContact1FirstName: z.string(),
  emergencyContact1LastName: z.string(),
  emergencyContact1MobileNo: z.string(),
  emergencyContact1Relationship: z.string(),
  emergencyContact2FirstName: z.string(),
  emergencyContact2LastName: z.string(),
  emergencyContact2MobileNo: z.string(),
  emergencyContact2Relationship: z.string(),
  isMedicalEmergencyAuthorized: z.boolean(),
  timeSpentWithChildFather: z.string(),
  timeSpentWithChildMother: z.string(),
  parentingBeliefAndPhilosophy: z.string(),
  reasonsForAdmission: z.string(),
  ...stamps,
});
export type AdditionalInfo = z.infer<typeof additionalInfo>;

const output = envelope('lstStudentAdmissionAdditionalInfoModel', additionalInfo);
const url = `${path}/additional-info`;

export const additionalInfoApi = {
  get: endpoint({ method: 'GET', path: url, access: 'link', envelope: true, input: noInput, output }),
  save: endpoint({ method: 'POST', path: url, access: 'link', envelope: true, input: additionalInfoDraft, output }),
};
