import { readLinkMessage } from '#features/admission-form/api.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { type inquiryApi, isWhatsAppNumber } from '../../contract/inquiry.ts';
import { handOver } from './link.ts';
import { lockInquiry } from './lock.ts';

const noNumber = text`The inquiry has no ten-digit mobile number of this parent. Edit it first.`;

/** The address that opens WhatsApp with the form's link written: the same act as copying the link. */
export const openWhatsApp: Handler<typeof inquiryApi.openWhatsApp> = async (ctx, { id, parent }) => {
  const inquiry = await lockInquiry(ctx, id);
  const mobile = (parent === 'Father' ? inquiry.father_mobile : inquiry.mother_mobile) ?? '';
  if (!isWhatsAppNumber(mobile)) throw fieldRefusal('parent', noNumber);
  await handOver(ctx, id, { Through: 'WhatsApp', Parent: parent });
  const words = await readLinkMessage(ctx, id);
  return { address: `https://wa.me/91${mobile}?text=${encodeURIComponent(words)}` };
};
