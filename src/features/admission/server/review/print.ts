import { printForm } from '#features/admission-form/api.ts';
import { tooMany } from '#features/sign-in/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import type { reviewApi } from '../../contract/review.ts';
import { requireSubmitted } from '../scope.ts';

const prints = { kind: 'form-print', most: 10, windowSeconds: 3600 };

/** The submitted answers as a PDF, for the school's files. */
export const printAnswers: Handler<typeof reviewApi.print> = async (ctx, { id }) => {
  await requireSubmitted(ctx, id);
  const act = { action: 'admission.form.printed', entity: 'admission_inquiry', entityId: id, names: 1 };
  return takeNames(ctx, act, async () => {
    const wait = await countHit(ctx.db, prints, String(id));
    if (wait > 0) throw tooMany(wait);
    const made = text`Printed on ${{ day: showDate(toLocalDate(ctx.now())) }} by ${{ by: ctx.user.name }}`;
    return printForm(ctx, id, made);
  });
};
