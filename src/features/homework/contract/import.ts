import { subjectMaster } from '#features/subject/contract/masters.ts';
import { type Field, field } from '#kit/contract/field.ts';
import { importApi } from '#kit/contract/import.ts';
import { namedBy } from '#kit/contract/master.ts';
import { options, text } from '#kit/contract/text.ts';
import { path } from './homework.ts';
import { homeworkClosers, homeworkKinds } from './words.ts';

/** What a row becomes. */
const becomes = options('Draft', 'Published on its day');

/** The columns of a diary. */
export const diaryFile = {
  /** Where the section is only its letter. */
  grade: field.text(text`Grade`, { max: 30, optional: true, alsoNamed: ['Class', 'Std', 'Standard'] }),
  section: field.text(text`Section`, { max: 80, alsoNamed: ['Class and section', 'Div', 'Division', 'Sec'] }),
  subjectId: field.ref(text`Subject`, { to: namedBy(subjectMaster), alsoNamed: ['Subject name'] }),
  title: field.text(text`Title`, { max: 120, alsoNamed: ['Homework', 'Topic', 'Task', 'Work'] }),
  instructions: field.longText(text`Text`, {
    max: 4000,
    optional: true,
    alsoNamed: ['Instructions', 'Details', 'Description'],
  }),
  minutes: field.number(text`Minutes`, { least: 5, most: 240, alsoNamed: ['Time', 'Duration'] }),
  givenOn: field.date(text`Given on`, { optional: true, alsoNamed: ['Date', 'Day', 'Given', 'Date given'] }),
  dueOn: field.date(text`Due on`, { alsoNamed: ['Due', 'Due date', 'Submission date', 'Last date'] }),
  kind: field.oneOf(text`Kind`, { options: homeworkKinds, alsoNamed: ['Type'] }),
  becomes: field.oneOf(text`Becomes`, { options: becomes }),
} satisfies Record<string, Field>;

/** Teachers for the sections and subjects that they give, a principal for every one of the branches. */
export const diaryImportApi = importApi({
  path: `${path}/import`,
  access: homeworkClosers,
  changes: ['homework'],
  columns: diaryFile,
  needed: ['section', 'subjectId', 'title', 'minutes', 'dueOn', 'kind', 'becomes'],
  pair: ['grade', 'section'],
});
