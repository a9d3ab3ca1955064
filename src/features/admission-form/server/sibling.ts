import { fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { LinkContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { siblingApi } from '../contract/sibling.ts';
import { answer, checkOwner, done, isClosed, openForChange, submittedAnswer } from './form.ts';
import { getInquiry } from './inquiry.ts';
import { sendCode, useDetails } from './sibling-details.ts';

const list = 'lstStudentAdmissionSiblingDetailsModel';
const page = 3;

const get: Handler<typeof siblingApi.get> = async (ctx, input) => {
  checkOwner(ctx, input);
  if (isClosed(ctx, page)) return submittedAnswer(ctx, list);
  return readSiblings(ctx);
};

/** Staff link siblings; a parent may only send the same names again (A32). */
const save: Handler<typeof siblingApi.save> = async (ctx, input) => {
  await openForChange(ctx, input, page);
  const { sibling_names } = await getInquiry(ctx);
  if (input.siblingName !== sibling_names) {
    throw fieldRefusal('siblingName', text`Only the school can change this. Call the school.`);
  }
  return done(await readSiblings(ctx), text`Saved.`);
};

export default routes(siblingApi, { get, save, sendCode, useDetails });

async function readSiblings(ctx: LinkContext) {
  const { sibling_names, created_at } = await getInquiry(ctx);
  if (sibling_names === '') return answer(list, []);
  const at = created_at.toISOString();
  const row = {
    siblingName: sibling_names,
    admissionID: ctx.inquiry.id,
    inquiryNo: ctx.inquiry.number,
    createdBy: 0,
    updatedBy: 0,
    createdDateTime: at,
    updatedDateTime: at,
  };
  return answer(list, [row]);
}
