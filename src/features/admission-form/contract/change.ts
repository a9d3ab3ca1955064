import { healthQuestions } from '#features/student/contract/health-questions.ts';
import { additionalInfoDraft } from './additional-info.ts';
import { basicInfoDraft } from './basic-info.ts';
import { healthDraft } from './health.ts';
import { absence, parentInfoDraft } from './parent-info.ts';

type Answers = Record<string, unknown>;

const shapes = {
  'basic-info': basicInfoDraft.shape,
  'parent-info': parentInfoDraft.shape,
  health: healthDraft.shape,
  'additional-info': additionalInfoDraft.shape,
};
/** The pages that are saved before the form is submitted, by the names of their drafts. */
export type SavedPage = keyof typeof shapes;

/** Whether a question is asked, given the other answers; saving clears the rest. */
export function isAsked(page: SavedPage, name: string, answers: Answers): boolean {
  if (page === 'basic-info') return !name.startsWith('permanent') || answers.sameAsPresentAddress !== true;
  if (page === 'health') {
    const question = healthQuestions.find(({ opens }) => opens.some((box) => box.name === name));
    return !question || answers[question.name] === true;
  }
  if (page === 'additional-info') return true;
  if (name === 'noFatherReason') return answers.hasNoFather === true;
  if (name === 'noMotherReason') return answers.hasNoMother === true;
  if (name === 'staffHRISEmployeeID') return answers.parentWorkingatFS === true;
  if (name.endsWith('DocumentPath')) return false; // A file is not typed.
  const [who] = /^(father|mother|guardian)/.exec(name) ?? [];
  if ((who === 'father' || who === 'mother') && answers[absence[who].isAbsent] === true) return false;
  if (who === 'guardian' && answers.isParentLocalGuardian !== false) return false;
  if (name.endsWith('WorkplaceInfo')) return answers[`${who}CanVisitWorkplace`] === true;
  return !/Caree(rCluster|Pathway)ID$/.test(name) || answers[`${who}Occupation`] !== 'Homemaker';
}

/**
 * The first question whose answer in a draft differs from the saved one; undefined where all are equal, for instance
 * after a change was undone.
 */
export function firstChange(page: SavedPage, typed: Answers, saved: Answers): string | undefined {
  const shape: Record<string, { safeParse: (value: unknown) => { data?: unknown } }> = shapes[page];
  const asSaved = (name: string, value: unknown) => String(shape[name]?.safeParse(value).data ?? value ?? '');
  return Object.keys(typed).find(
    (name) => isAsked(page, name, typed) && asSaved(name, typed[name]) !== asSaved(name, saved[name]),
  );
}
