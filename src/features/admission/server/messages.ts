import type { Services } from '#kit/server/context.ts';
import type { Template } from '#kit/server/outbox.ts';
import { linkAddress, linkValue } from './link.ts';

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
