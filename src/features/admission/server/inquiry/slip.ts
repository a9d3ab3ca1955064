import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { slip } from '#kit/server/paper/paper.ts';
import { qrCode } from '#kit/server/paper/qr-code.ts';
import type { inquiryApi } from '../../contract/inquiry.ts';
import { copyLink } from './link.ts';

/** The form's link on paper, to hand over at the front desk. */
export const printSlip: Handler<typeof inquiryApi.slip> = async (ctx, { id }) => {
  // The PDF takes a second, in which the inquiry must not stay locked.
  const { address, inquiry } = await ctx.db.transaction().execute(async (db) => {
    const { shortLink } = await copyLink({ ...ctx, db }, { id });
    const inquiry = await db
      .selectFrom('admission_inquiry')
      .where('id', '=', id)
      .select(['first_name', 'link_expires_at'])
      .executeTakeFirstOrThrow();
    return { address: shortLink, inquiry };
  });
  const head = await ctx.readPaperHead(ctx);
  const lines = [
    text`Works until ${{ date: showDate(toLocalDate(inquiry.link_expires_at)) }}`,
    ...(head.phone ? [text`Call the school: ${{ phone: head.phone }}`] : []),
  ];
  const name = inquiry.first_name ?? '';
  const data = { head, name, title: text`Fill in the admission form`, code: qrCode(address), lines };
  return { mediaType: 'application/pdf', name: 'form-slip.pdf', bytes: await ctx.makePaper(slip, data, ctx.caller) };
};
