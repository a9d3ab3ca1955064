import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { routes } from '#kit/server/http/routes.ts';
import { checkApi } from '../contract/check.ts';
import { diaryApi } from '../contract/diary.ts';
import { homeworkApi, loadApi } from '../contract/homework.ts';
import { homeworkPages } from '../contract/pages.ts';
import { auditWords } from './audit-words.ts';
import { answerCalendar } from './calendar-answer.ts';
import { ownHomeworkCard, staffHomework, studentHomework } from './cards.ts';
import { cancel, close, move, remove, reopen, update } from './change.ts';
import { endExtension, extend, save } from './check.ts';
import { earlier, earlierOptions } from './content.ts';
import { homeworkCell } from './day-cell.ts';
import { diary } from './diary.ts';
import { dailyDigest, digestMessages, digestTexts } from './digest.ts';
import { familyFileRoutes } from './family-file.ts';
import { homeworkPart } from './family-part.ts';
import { fileRoutes } from './files.ts';
import { copy, create, publish } from './give.ts';
import { diaryImportRoutes } from './import.ts';
import { tellOfOpenHomework } from './leaving.ts';
import { listRoutes } from './list.ts';
import { manyRoutes } from './many.ts';
import { homeworkMerges, mergeHomework } from './merge.ts';
import { load, students } from './meter.ts';
import { missingRoutes } from './missing.ts';
import { missingChildRoutes } from './missing-child.ts';
import { given, history, read } from './read.ts';
import { reminderMessages, reminderTexts, remindRoutes } from './remind.ts';
import { constraintMessages } from './rules.ts';
import { homeworkSearch } from './search.ts';
import { homeworkSettings } from './settings.ts';
import { checkTodo } from './todo.ts';
import { homeworkYearEnd } from './year-end.ts';

export const homework = serverFeature({
  pages: homeworkPages,
  routes: [
    ...missingRoutes,
    ...missingChildRoutes,
    ...listRoutes,
    ...routes(loadApi, { load }),
    ...routes(homeworkApi, {
      students,
      given,
      earlierOptions,
      earlier,
      read,
      history,
      create,
      update,
      publish,
      move,
      copy,
      cancel,
      close,
      reopen,
      remove,
    }),
    ...routes(diaryApi, { diary }),
    ...diaryImportRoutes,
    ...fileRoutes,
    ...remindRoutes,
    ...manyRoutes,
    ...familyFileRoutes,
    ...routes(checkApi, { save, extend, endExtension }),
  ],
  cards: [ownHomeworkCard],
  todos: [checkTodo],
  dayCells: [homeworkCell],
  recordCards: [studentHomework, staffHomework],
  searches: [homeworkSearch],
  answers: [answerCalendar, tellOfOpenHomework, mergeHomework],
  familyParts: [homeworkPart],
  messages: { ...digestMessages, ...reminderMessages },
  textMessages: { ...digestTexts, ...reminderTexts },
  daily: [dailyDigest],
  settings: homeworkSettings,
  constraintMessages,
  tagged: [{ scope: 'Homework', entity: 'homework' }],
  yearEnd: homeworkYearEnd,
  auditArea: text`Homework`,
  auditWords,
  seed: () => import('../seed.ts'),
  merges: homeworkMerges,
});
