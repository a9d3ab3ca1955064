import type { ImportAnswer, ImportRow, RowQuestion } from '#kit/contract/import.ts';
import type { ImportPlan } from '#kit/contract/import-plan.ts';

/** What the user answers a row's question by. */
export type Answers = Pick<ImportPlan, 'answers' | 'alike'>;

/** The question with the answer of its row, or of all rows of its kind. Only the key of a choice is an answer. */
export function answered(plan: Answers | undefined, line: number, question: Omit<RowQuestion, 'answer'>): RowQuestion {
  const answer = [plan?.answers[line], plan?.alike[question.kind]].find((given) =>
    question.choices.some(({ key }) => key === given),
  );
  return { ...question, ...(answer !== undefined && { answer }) };
}

/** The kinds of questions that rows of a file have. */
export function questionsOf(lines: readonly ImportRow[]): NonNullable<ImportAnswer['questions']> {
  const all = new Map<string, NonNullable<ImportAnswer['questions']>[number]>();
  for (const { question } of lines) {
    if (!question) continue;
    const { kind, choices, answer } = question;
    const known = all.get(kind) ?? { kind, count: 0, open: 0, choices: [] };
    known.count++;
    if (answer === undefined) known.open++;
    for (const choice of choices) if (!known.choices.some(({ key }) => key === choice.key)) known.choices.push(choice);
    all.set(kind, known);
  }
  return [...all.values()];
}
