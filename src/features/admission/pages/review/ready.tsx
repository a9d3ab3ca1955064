import { useLingui } from '@lingui/react/macro';
import { provenBy } from '#features/admission-form/contract/document.ts';
import { translateOption } from '#kit/browser/text.ts';

/** Ready sentences about an answer, by its kind; '' is the whole section. */
export function useAnswerSentences() {
  const { t } = useLingui();
  return (field: string): string[] => {
    if (field === '') return [t`Please complete this section.`, t`Please check this section.`];
    if (field.endsWith('IFormFile')) return [t`Too dark or blurred.`, t`This is the wrong picture.`];
    const document = provenBy.get(field);
    const differs = document ? [t`Differs from the ${translateOption(document)}.`] : [];
    return [...differs, checkOf(field), t`Please complete this answer.`];
  };

  function checkOf(field: string): string {
    if (/birthDate$/i.test(field)) return t`Please check this date.`;
    if (/name$/i.test(field)) return t`Please check the spelling.`;
    if (/mobile|aadhar|pincode|(no|number)$/i.test(field)) return t`Please check this number.`;
    return t`Please check this answer.`;
  }
}

/** Ready sentences about a document. */
export function useDocumentSentences(): string[] {
  const { t } = useLingui();
  return [
    t`Too dark or blurred.`,
    t`This is the wrong document.`,
    t`The name differs from the form.`,
    t`A page is missing.`,
  ];
}
