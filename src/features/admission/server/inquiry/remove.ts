import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { endNotices } from '#kit/server/messages/notifications.ts';
import { removeAdded } from '#kit/server/record/added.ts';
import { audit } from '#kit/server/security/audit.ts';
import type { inquiryApi } from '../../contract/inquiry.ts';
import { assignedKey } from './assigned-notice.ts';
import { lockInquiry } from './lock.ts';

const notNew = text`Only a new inquiry is removed, whose form was not sent. Mark it as lost instead.`;

/** What hangs on a new inquiry, as far as it has words of its own. */
const hanging = {
  admission_follow_up: text`Follow-ups`,
  admission_message: text`Messages of the family`,
  admission_draft: text`Pages of the form`,
  admission_inquiry: text`Links of brothers and sisters`,
  admission_sibling_code: text`Codes for brothers and sisters`,
};

export const remove: Handler<typeof inquiryApi.remove> = async (ctx, { id, version }) => {
  const { state, inquiry_no, first_name, last_name } = await lockInquiry(ctx, id, version);
  if (state !== 'New') throw new AppError('conflict', notNew);
  const blocks = await removeAdded(ctx, { table: 'admission_inquiry', id, parts: [], words: hanging });
  if (blocks.length > 0) return { blocks };
  await endNotices(ctx, [assignedKey(id)]);
  const name = [first_name, last_name].filter(Boolean).join(' ');
  const details = { Inquiry: inquiry_no, Name: name };
  await audit(ctx, { action: 'admission.inquiry.removed', entity: 'admission_inquiry', entityId: id, details });
  return { blocks };
};
