import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { path } from './homework.ts';
import { homeworkReaders } from './words.ts';

export const diaryApi = {
  /** The homework of a section from one day to another, as a PDF. */
  diary: endpoint({
    method: 'GET',
    path: `${path}/diary`,
    access: homeworkReaders,
    input: z.object({ sectionId: id, from: calendarDay(text`From`), to: calendarDay(text`To`) }),
    output: servedFile,
  }),
};
