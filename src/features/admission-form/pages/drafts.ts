// biome-ignore lint/style/noRestrictedImports: a draft is sent by its form while it is typed, also while the page is being left.
import { call } from '#kit/browser/data/call.ts';
import { type Draft, openDraft } from '#kit/browser/form/draft.ts';
import { type DraftPage, draftApi } from '../contract/draft.ts';

type Answers = Record<string, string | boolean | number | null>;

/** The draft of a form page, for its ApiForm. An Aadhaar number is never kept on the device. */
export function openPageDraft(page: DraftPage): Promise<Draft> {
  return openDraft({
    page,
    secret: ['aadharCardNo'],
    read: async () => (await call(draftApi.read, { page })).data,
    keep: async ({ answers, ...kept }, isLeaving) =>
      (await call(draftApi.keep, { ...kept, page, answers: answers as Answers }, { isLeaving })).data,
  });
}
