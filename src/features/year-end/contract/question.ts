import * as z from 'zod/mini';
import { admin, staff } from '#access/contract/grants.ts';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { lookupsAt } from '#features/school/contract/lookup.ts';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf, outputOf } from '#kit/contract/field.ts';
import { id, optionalId } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { namedBy } from '#kit/contract/master.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { answers } from './family.ts';

/** Who asks families, and answers for them. */
export const askers = [admin(), staff('office', 'principal')] as const;
const changes = ['year-question'];
const shows = ['year-question', 'year', 'student', 'grade'] as const;

export const questionFields = {
  words: field.longText(text`Question`, { max: 600 }),
  opensOn: field.date(text`Opens on`),
  closesOn: field.date(text`Last day for answers`, { toward: 'future' }),
  remindDays: field.number(text`Reminder, days before`, { least: 0, most: 30 }),
};
const gradeIds = listOf(id, { least: 1, most: 200, none: text`Choose at least one grade.` });

const leavingReasons = lookupsAt('/year-end/leaving-reason', askers, 'Leaving reason');
export const answerLookups = [leavingReasons];

export const answerFields = {
  answer: field.oneOf(text`Answer`, { options: answers, isRadio: true }),
  lastDay: field.date(text`Last day`, { optional: true, hint: text`Of a child who leaves.` }),
  reasonId: field.ref(text`Reason`, { to: leavingReasons, optional: true }),
  nextSchool: field.text(text`Next school`, { max: 120, optional: true }),
};

/** The answers that count, as they are listed. */
export const listedAnswers = options('Staying', 'Leaving', 'Not sure', 'Differ', 'No answer');

/** The children whom families are asked about, with the answer that counts. The id is that of the enrolment. */
export const answerList = defineList({
  name: 'year_answer',
  path: '/year-end/answer',
  singular: text`student`,
  plural: text`students`,
  access: askers,
  shows,
  columns: {
    name: { kind: 'text', label: text`Name`, isSorted: true },
    section: { kind: 'text', label: text`Section` },
    answer: { kind: 'oneOf', label: text`Answer`, options: listedAnswers, onPhone: 'end' },
    by: { kind: 'text', label: text`Answered by` },
    answeredOn: { kind: 'date', label: text`Answered on`, isLabelled: true },
    lastDay: { kind: 'date', label: text`Last day`, isLabelled: true, isAside: true },
    nextSchool: { kind: 'text', label: text`Next school`, isAside: true },
    year: { kind: 'text', label: text`For the year`, isAside: true },
  },
  filters: {
    answer: { kind: 'oneOf', label: text`Answer`, options: listedAnswers },
    gradeId: filterBy({ label: text`Grade`, to: namedBy(gradeMaster) }),
    toYearId: filterBy({ label: text`For the year`, to: namedBy(yearMaster) }),
  },
  tabs: { all: text`All` },
  extra: { studentId: z.number(), toYearId: z.number() },
});

const named = z.object({ id: z.number(), name: z.string() });
const ofYear = { yearId: id };

/** A question as it is shown. */
export const shownQuestion = z.object({
  ...outputOf(questionFields),
  gradeIds: z.array(z.number()),
  version: z.number(),
});

export const questionApi = {
  reasons: leavingReasons.options,
  /** The question that is asked in a year about the next one, and how far its answers are in the caller's branches. */
  read: endpoint({
    method: 'GET',
    path: '/year-end/question',
    access: askers,
    shows,
    input: z.object({ yearId: optionalId }),
    output: z.object({
      year: z.nullable(z.object({ ...named.shape, startsOn: z.string(), endsOn: z.string() })),
      /** The year that it asks about; null until that is made. */
      next: z.nullable(named),
      question: z.nullable(shownQuestion),
      state: z.enum(['', 'Later', 'Open', 'Over']),
      /** The grades whose children have a next grade. */
      grades: z.array(z.object({ ...named.shape, isActive: z.boolean() })),
      figures: z.object({
        asked: z.number(),
        staying: z.number(),
        leaving: z.number(),
        notSure: z.number(),
        differ: z.number(),
        none: z.number(),
      }),
    }),
  }),
  /** Writes the question, or changes it. */
  save: endpoint({
    method: 'PUT',
    path: '/year-end/question',
    access: askers,
    changes,
    input: z.object({ ...ofYear, ...inputOf(questionFields), gradeIds, version: optionalId }),
    output: z.object({}),
  }),
  /** Sends each guardian the link with the question, once, as a run. */
  ask: endpoint({
    method: 'POST',
    path: '/year-end/question/ask',
    access: askers,
    changes,
    input: z.object({ ...ofYear, confirmToken }),
    output: z.extend(bulkAnswer, { runId: z.nullable(z.number()) }),
  }),
  /** Reminds the guardians who have not answered, each once, as a run. */
  remind: endpoint({
    method: 'POST',
    path: '/year-end/question/remind',
    access: askers,
    changes,
    input: z.object({ ...ofYear, confirmToken }),
    output: z.extend(bulkAnswer, { runId: z.nullable(z.number()) }),
  }),
  /** The office's own answer for a child, which counts before those of the guardians. */
  answer: endpoint({
    method: 'POST',
    path: '/year-end/student/:id/answer',
    access: askers,
    changes,
    input: z.object({ id, toYearId: id, ...inputOf(answerFields) }),
    output: z.object({}),
  }),
};
