import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { oneOf, optionalOneOf, rule, yesNo } from '#kit/contract/fields.ts';
import { someOf } from '#kit/contract/list.ts';
import { envelope, formKeys, noInput, path } from './form.ts';

export const languages = [
  'Gujarati',
  'Hindi',
  'Marwadi',
  'Sindhi',
  'Marathi',
  'Tamil',
  'Telugu',
  'Bengali',
  'Malayalam',
  'Punjabi',
  'Urdu',
  'English',
  'Tulu',
  'Kannada',
  'Other',
] as const;
export const schoolLanguages = ['Gujarati', 'Hindi', 'English'] as const;

export const replacedLanguageRequired = 'Specify the Language is Required';
export const submitted = 'Thank you filling admission form';
export const documentsRequired = 'Please upload all required document';
/** Said of an answer that was typed on a saved page and not saved there. */
export const unsavedChange = 'You changed this and did not save it. Open the page and press Save and Next.';

export const languageDraft = z
  .object({
    ...formKeys,
    primaryLangatHome: oneOf('Primary Language', languages),
    otherLangChildKnow: someOf('Other Language', languages),
    // A38: the wire field is named for fluency, but what is asked and stored is "first-generation English learner".
    isChildFluentInEnglish: yesNo('Learner Of English Language'),
    childStudyLangPreferance: oneOf('Child Studies English Language', schoolLanguages),
    langPreferanceWithSchool: oneOf('School Communication Language', schoolLanguages),
    isChildHaveReplacedLang: yesNo('Family (your parents or grandparents) speak Language'),
    repalcedLangOfChild: optionalOneOf('Specify the Language', languages),
  })
  .check(
    rule((draft, say) => {
      if (draft.isChildHaveReplacedLang === true && !draft.repalcedLangOfChild) {
        say('repalcedLangOfChild', replacedLanguageRequired);
      }
    }),
  );

export const language = z.object({
  studentAdmissionLanguageDtlID: z.number(),
  admissionID: z.number(),
  inquiryNo: z.string(),
  primaryLangatHome: z.string(),
  otherLangChildKnow: z.string(),
  isChildFluentInEnglish: z.boolean(),
  childStudyLangPreferance: z.string(),
  langPreferanceWithSchool: z.string(),
  isChildHaveReplacedLang: z.boolean(),
  repalcedLangOfChild: z.string(),
  createdBy: z.number(),
  createddatetime: z.string(),
  updatedby: z.number(),
  updateddatetime: z.string(),
});
export type Language = z.infer<typeof language>;

/** Something still missing when the form is handed in, and where to mend it. */
export const gap = z.object({ page: z.string(), field: z.string(), message: z.string() });
export type Gap = z.infer<typeof gap>;

const output = envelope('lstStudentAdmissionLanguageDtlModel', language);
const url = `${path}/language`;

export const languageApi = {
  get: endpoint({ method: 'GET', path: url, access: 'link', envelope: true, input: noInput, output }),
  /** The final submit: saves these answers, judges all five pages and the documents, and closes the form. */
  submit: endpoint({ method: 'POST', path: url, access: 'link', envelope: true, input: languageDraft, output }),
};
