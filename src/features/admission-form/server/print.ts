import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { printApi, printHours } from '../contract/print.ts';
import { checkOwner, parent } from './form.ts';
import { printForm } from './printed-form.ts';

const prints = { kind: 'form-print-link', most: 10, windowSeconds: 3600 };

const tooLate = text`You can download this for ${{ hours: printHours }} hours after you submit. Later, ask the school.`;

/** A link may have been passed on, so it gives the answers only while the family still reads the page that thanks. */
const print: Handler<typeof printApi.print> = async (ctx, input) => {
  checkOwner(ctx, input);
  const { id, submittedAt, openPages } = ctx.inquiry;
  if (!submittedAt && openPages.length === 0) throw new AppError('conflict', text`Submit the form first.`);
  const isInTime = submittedAt && ctx.now().getTime() - submittedAt.getTime() < printHours * 3_600_000;
  if (!isInTime) throw new AppError('not_found', tooLate);
  const wait = await countHit(ctx.db, prints, String(id));
  if (wait > 0) throw new AppError('too_many_tries', text`Too many attempts. Try again later.`, { retryAfter: wait });
  const made = text`Printed on ${{ day: showDate(toLocalDate(ctx.now())) }}`;
  const file = await printForm(ctx, id, made);
  await audit(ctx, { actor: parent, action: 'admission.form.printed', entity: 'admission_inquiry', entityId: id });
  return file;
};

export default routes(printApi, { print });
