import { msg } from '@lingui/core/macro';

/** The questions about languages as the page asks them; the contract has the specification's names. */
export const languageLabels = {
  primaryLangatHome: msg`Primary language spoken at home`,
  otherLangChildKnow: msg`Other languages your child knows`,
  isChildFluentInEnglish: msg`Is your child the first in the family to learn English?`,
  childStudyLangPreferance: msg`In which language should your child study?`,
  langPreferanceWithSchool: msg`In which language should the school write to you?`,
  isChildHaveReplacedLang: msg`Did your parents or grandparents speak a language that your child does not speak?`,
};

/** The questions about work that father, mother and guardian are asked alike, by the ending of their names. */
export const workLabels = {
  CanOfferInternship: msg`Can you offer an internship?`,
  CanVisitWorkplace: msg`Could students visit your workplace on a field trip?`,
};
