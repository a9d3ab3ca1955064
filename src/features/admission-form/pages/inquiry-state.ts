import { get } from '#kit/browser/data/get.ts';
import { currentLink } from '#kit/browser/data/link.ts';
import { setDeviceKey } from '#kit/browser/form/local-copy.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { type Correction, pageOfSection } from '../contract/correction.ts';
import { alreadySubmitted } from '../contract/form.ts';
import { type Inquiry, inquiryApi, type OpenInquiry } from '../contract/inquiry.ts';

let known: { link: string; inquiry: Promise<Inquiry> } | undefined;

/** The inquiry of this link, read once. Throws `not_found` for an invalid link and for none. */
export function getInquiry(): Promise<Inquiry> {
  const link = currentLink();
  if (known?.link !== link) {
    const inquiry = load(link);
    known = { link, inquiry };
    // A failure is not cached: the next read asks again.
    inquiry.catch(() => {
      known = undefined;
    });
  }
  return known.inquiry;
}

/** Whether the server says that this link opens no form. */
export const opensNothing = (): Promise<boolean> =>
  getInquiry().then(
    () => false,
    (error) => error instanceof AppError && ['not_found', 'too_many_tries'].includes(error.code),
  );

/** Drops the cached inquiry, so that it is read again, for instance after submission. */
export function forgetInquiry() {
  known = undefined;
}

/** Remembers that a step was saved in this visit, for its tick and the ticks of the remarks about it. */
export const noteSaved = (step: number) =>
  note((before) => ({
    ...answered(before, ({ section }) => section !== 'Documents' && pageOfSection[section] === step),
    savedSteps: [...new Set([...before.savedSteps, step])],
  }));

/** Remembers that a document was uploaded in this visit. */
export const noteUploaded = (name: string) =>
  note((before) => answered(before, ({ section, field }) => section === 'Documents' && [name, ''].includes(field)));

function note(change: (before: OpenInquiry) => OpenInquiry) {
  if (!known) return;
  const { link, inquiry } = known;
  known = { link, inquiry: inquiry.then((before) => (before.isFormSubmitted ? before : change(before))) };
}

const answered = (inquiry: OpenInquiry, isAbout: (remark: Correction['remarks'][number]) => boolean): OpenInquiry => ({
  ...inquiry,
  correction: inquiry.correction && {
    ...inquiry.correction,
    remarks: inquiry.correction.remarks.map((remark) => (isAbout(remark) ? { ...remark, isAnswered: true } : remark)),
  },
});

/** The inquiry of an open form; throws `already_submitted` for a submitted one. */
export async function getOpenInquiry(): Promise<OpenInquiry> {
  const inquiry = await getInquiry();
  if (inquiry.isFormSubmitted) throw new AppError('already_submitted', alreadySubmitted);
  return inquiry;
}

async function load(link: string): Promise<Inquiry> {
  if (!link) throw new AppError('not_found', notFoundMessage);
  const [inquiry] = await get(inquiryApi.inquiry, {});
  if (!inquiry) throw new AppError('not_found', notFoundMessage);
  if (!inquiry.isFormSubmitted) setDeviceKey(inquiry.deviceKey);
  return inquiry;
}
