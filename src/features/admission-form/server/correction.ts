import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { correctionApi } from '../contract/correction.ts';
import { alreadySubmitted } from '../contract/form.ts';
import { submitted } from '../contract/language.ts';
import { openForChange, says } from './form.ts';
import { findLanguage } from './language.ts';
import { submitForm } from './submit.ts';

/** The page that is submitted together with its own answers. */
const lastPage = 5;

/** Submits a correction that leaves the languages as they were submitted. */
const resubmit: Handler<typeof correctionApi.resubmit> = async (ctx, input) => {
  const form = await openForChange(ctx, input);
  if (form.openPages.length === 0) throw new AppError('already_submitted', alreadySubmitted);
  if (form.openPages.includes(lastPage)) {
    throw new AppError('conflict', text`Load the page again: the school asks about its questions too.`);
  }
  await submitForm(ctx, form, await findLanguage(ctx));
  return { isSuccess: true, ...says(submitted) };
};

export default routes(correctionApi, { resubmit });
