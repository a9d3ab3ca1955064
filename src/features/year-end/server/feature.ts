import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { yearEndPages } from '../contract/pages.ts';
import { answerEvents } from './answer-events.ts';
import { answerListRoutes } from './answer-list.ts';
import { dailyReminder, questionMessages, questionRuns } from './ask.ts';
import { turnCard } from './card.ts';
import { differTodo } from './differ-todo.ts';
import { stayingPart, stayingRoutes } from './family-part.ts';
import { mergeAnsweringAdults, mergeAnswers, yearEndMerges } from './merge.ts';
import { questionRoutes } from './question.ts';
import { questionTexts } from './question-words.ts';
import { resultMessages, resultTexts, tellOfResult } from './result-message.ts';
import { closeYearTodo } from './todo.ts';
import { yearEndRoutes } from './year-end.ts';

/** Closing a school year, reopening the last closed one, and asking families about the next one. */
export const yearEnd = serverFeature({
  pages: yearEndPages,
  routes: [...yearEndRoutes, ...questionRoutes, ...answerListRoutes, ...stayingRoutes],
  cards: [turnCard],
  todos: [closeYearTodo, differTodo],
  familyParts: [stayingPart],
  events: [answerEvents],
  answers: [mergeAnswers, mergeAnsweringAdults, tellOfResult],
  merges: yearEndMerges,
  runs: questionRuns,
  daily: [dailyReminder],
  messages: { ...questionMessages, ...resultMessages },
  textMessages: { ...questionTexts, ...resultTexts },
  seed: () => import('../seed.ts'),
  auditArea: text`Classes and calendar`,
  auditWords: {
    actions: {
      'academic-year.closed': { verb: 'Ended', words: text`Closed the academic year` },
      'academic-year.reopened': { verb: 'Restored', words: text`Reopened the academic year` },
      'year-question.saved': { verb: 'Changed', words: text`Wrote the question about the next year` },
      'year-question.asked': { verb: 'Sent', words: text`Asked families about the next year` },
      'year-question.reminded': { verb: 'Sent', words: text`Reminded families of the question about the next year` },
      'year-answer.given': { verb: 'Changed', words: text`Answered about the next year` },
      'year_answer.exported': { verb: 'Exported', words: text`Exported a list of names` },
    },
    records: { year_answer: { kind: text`Answers about the next year` } },
  },
});
