import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { oneOf, optionalOneOf, rule, yesNo } from '#kit/contract/fields.ts';
import { someOf } from '#kit/contract/list.ts';
import { options, type Text, text } from '#kit/contract/text.ts';
import { envelope, formKeys, noInput, path } from './form.ts';

export const languages = options(
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
);
export const schoolLanguages = options('Gujarati', 'Hindi', 'English');

const replacedLanguageRequired = text`Specify the Language is Required`;
export const submitted = text`Thank you filling admission form`;
export const documentsRequired = text`Please upload all required document`;
/** Refuses an answer that was changed after its page was saved. */
export const unsavedChange = text`This change is not saved. Open the page and press Save and Next.`;

export const languageDraft = z
  .object({
    ...formKeys,
    primaryLangatHome: oneOf(text`Primary Language`, languages),
    otherLangChildKnow: someOf(text`Other Language`, languages),
    // A38: the wire field is named for fluency, but the question is "first-generation English learner".
    isChildFluentInEnglish: yesNo(text`Learner Of English Language`),
    childStudyLangPreferance: oneOf(text`Child Studies English Language`, schoolLanguages),
    langPreferanceWithSchool: oneOf(text`School Communication Language`, schoolLanguages),
    isChildHaveReplacedLang: yesNo(text`Family (your parents or grandparents) speak Language`),
    repalcedLangOfChild: optionalOneOf(text`Specify the Language`, languages),
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

/** Something missing when the form is submitted, and where to correct it. */
export interface Gap {
  page: string;
  field: string;
  label?: Text | undefined;
  message: Text;
}

const output = envelope('lstStudentAdmissionLanguageDtlModel', language);
const url = `${path}/language`;

export const languageApi = {
  get: endpoint({ method: 'GET', path: url, access: 'link', envelope: true, input: noInput, output }),
  /** Saves these answers, validates all five pages and the documents, and closes the form. */
  submit: endpoint({ method: 'POST', path: url, access: 'link', envelope: true, input: languageDraft, output }),
};
