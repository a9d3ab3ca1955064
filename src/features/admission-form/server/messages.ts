import type { Services } from '#kit/server/context.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import { open } from '#kit/server/security/sealed.ts';
import { linkAddress, linkValue } from './link.ts';
import { messagePlace } from './message.ts';

/** The admission's messages. Each is made from the inquiry when it is sent, so no link lies in the database. */
export const messages: Record<string, Template> = {
  'admission.link': async (services, inquiryId) => {
    const inquiry = await findInquiry(services, inquiryId);
    if (!inquiry || inquiry.link_revoked_at) return undefined;
    const value = linkValue(services.keys, {
      inquiryNo: inquiry.inquiry_no,
      version: inquiry.link_version,
      keyId: inquiry.link_key_id,
    });
    const till = inquiry.link_expires_at.toLocaleDateString('en-GB', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
    });
    return {
      subject: `Admission form for ${inquiry.first_name ?? 'your child'}`,
      text:
        `Dear parent, thank you for your interest in ${inquiry.school}. Fill in the admission form for ` +
        `${inquiry.first_name ?? 'your child'} here: ${linkAddress(services.publicUrl, value)} . Valid till ${till}. Help: ${inquiry.phone}.`,
    };
  },
  'admission.message': async (services, messageId) => {
    const message = await services.db
      .selectFrom('admission_message as message')
      .innerJoin('admission_inquiry as inquiry', 'inquiry.id', 'message.inquiry_id')
      .where('message.id', '=', messageId)
      .select(['inquiry_id', 'inquiry_no', 'about', 'text'])
      .executeTakeFirst();
    if (!message) return undefined;
    const text = open(services.keys.data, messagePlace(message.inquiry_id), message.text).toString();
    return {
      subject: `A parent writes about ${message.inquiry_no}`,
      text: `The family of application ${message.inquiry_no} writes about "${message.about}":\n\n${text}`,
    };
  },
  'admission.consent-withdrawn': async (services, inquiryId) => {
    const inquiry = await findInquiry(services, inquiryId);
    if (!inquiry) return undefined;
    return {
      subject: `Consent withdrawn: ${inquiry.inquiry_no}`,
      text:
        `The family of application ${inquiry.inquiry_no} has withdrawn its consent. Nothing more is stored for it. ` +
        'Please erase what the law does not ask you to keep, and tell the family.',
    };
  },
  'admission.submitted': async (services, inquiryId) => {
    const inquiry = await findInquiry(services, inquiryId);
    if (!inquiry) return undefined;
    return {
      subject: `Admission form received: ${inquiry.inquiry_no}`,
      text:
        `Dear parent, ${inquiry.school} has received the admission form ${inquiry.inquiry_no}. ` +
        `The school will write to you about the next step. Help: ${inquiry.phone}.`,
    };
  },
};

const findInquiry = ({ db }: Services, id: number) =>
  db
    .selectFrom('admission_inquiry')
    .innerJoin('academic_school as school', (join) => join.onTrue())
    .where('admission_inquiry.id', '=', id)
    .select([
      'inquiry_no',
      'first_name',
      'link_version',
      'link_key_id',
      'link_expires_at',
      'link_revoked_at',
      'school.name as school',
      'school.phone',
    ])
    .executeTakeFirst();
