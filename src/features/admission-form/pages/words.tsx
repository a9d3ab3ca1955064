import { useLingui } from '@lingui/react/macro';

/** The questions about languages as the page asks them; the contract has the specification's names. */
export function useLanguageWords() {
  const { t } = useLingui();
  return {
    primaryLangatHome: t`Primary language spoken at home`,
    otherLangChildKnow: t`Other languages the child knows`,
    isChildFluentInEnglish: t`Is the child a first-generation learner of the English language?`,
    childStudyLangPreferance: t`In which language should the child study?`,
    langPreferanceWithSchool: t`In which language should the school write to you?`,
    isChildHaveReplacedLang: t`Did your family (your parents or grandparents) speak another language that the child no longer speaks?`,
    repalcedLangOfChild: t`Specify the language`,
  };
}

/** The questions about work that father, mother and guardian are asked alike, by the ending of their names. */
export function useWorkWords() {
  const { t } = useLingui();
  return {
    CanOfferInternship: t`Can you offer an internship?`,
    CanVisitWorkplace: t`Could students visit your workplace on a field trip?`,
  };
}
