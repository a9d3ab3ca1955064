import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { mobile, optionalText, rule, text, tick } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { envelope, formKeys, noInput, path, stamps } from './form.ts';

const mobileWords = { required: 'Mobile No is required', invalid: 'Mobile No is not valid.' };
const relationshipWords = { required: 'Relationship with the child is required.' };

const [fatherRequired, motherRequired] = ['Father is required.', 'Mother is required.'];
/** The messages that the rule below gives, for the catalogues. */
export const additionalInfoMessages = [fatherRequired, motherRequired];

export const additionalInfoDraft = z
  .object({
    ...formKeys,
    emergencyContact1FirstName: text('First Name', 50),
    emergencyContact1LastName: text('Last Name', 50),
    emergencyContact1MobileNo: mobile('Mobile No', mobileWords),
    emergencyContact1Relationship: text('Relationship with the child', 50, relationshipWords),
    emergencyContact2FirstName: text('First Name', 50),
    emergencyContact2LastName: text('Last Name', 50),
    emergencyContact2MobileNo: mobile('Mobile No', mobileWords),
    emergencyContact2Relationship: text('Relationship with the child', 50, relationshipWords),
    isMedicalEmergencyAuthorized: tick('Medical emergency authorization'),
    timeSpentWithChildFather: optionalText('Father', 1000),
    timeSpentWithChildMother: optionalText('Mother', 1000),
    parentingBeliefAndPhilosophy: text('Parenting Belief And Philosophy', 1000),
    reasonsForAdmission: text('Reasons For Admission', 1000),
    /** Not sent: the server and the page put in what the inquiry says. */
    detailsNotApplicable: z._default(listOf(z.enum(['father', 'mother']), { most: 2 }), []),
  })
  .check(
    rule((draft, say) => {
      const asked = (who: 'father' | 'mother') => !draft.detailsNotApplicable?.includes(who);
      if (asked('father') && !draft.timeSpentWithChildFather) say('timeSpentWithChildFather', fatherRequired);
      if (asked('mother') && !draft.timeSpentWithChildMother) say('timeSpentWithChildMother', motherRequired);
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
