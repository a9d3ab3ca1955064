import { call } from '#kit/browser/call.ts';
import { type Draft, openDraft } from '#kit/browser/draft.ts';
import { type DraftPage, draftApi } from '../contract/draft.ts';

type Answers = Record<string, string | boolean | number | null>;

/** The draft of a page of the form, for its ApiForm. An Aadhaar number is never kept on the device (admission.md 0.4). */
export const openPageDraft = (page: DraftPage): Promise<Draft> =>
  openDraft({
    page,
    secret: ['aadharCardNo'],
    read: async () => (await call(draftApi.read, { page })).data,
    keep: async ({ answers, ...draft }, isLeaving) =>
      (await call(draftApi.keep, { ...draft, page, answers: answers as Answers }, { isLeaving })).data,
  });
