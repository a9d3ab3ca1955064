import { text, verbatim } from '#kit/contract/text.ts';
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
    const date = inquiry.link_expires_at.toLocaleDateString('en-GB', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
    });
    const child = inquiry.first_name ?? text`your child`;
    const link = linkAddress(services.publicUrl, value);
    const { school, phone } = inquiry;
    return {
      subject: text`Admission form for ${{ child }}`,
      paragraphs: [
        text`Dear parent, thank you for your interest in ${{ school }}. Fill in the admission form for ${{ child }} here: ${{ link }}`,
        text`The link works until ${{ date }}. Help: ${{ phone }}.`,
      ],
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
    const { inquiry_no: inquiryNo, about } = message;
    const words = open(services.keys.data, messagePlace(message.inquiry_id), message.text).toString();
    return {
      subject: text`Message from the family of ${{ inquiryNo }}`,
      paragraphs: [text`The family of application ${{ inquiryNo }} wrote about “${{ about }}”:`, verbatim(words)],
    };
  },
  'admission.consent-withdrawn': async (services, inquiryId) => {
    const inquiry = await findInquiry(services, inquiryId);
    if (!inquiry) return undefined;
    const { inquiry_no: inquiryNo } = inquiry;
    return {
      subject: text`Consent withdrawn: ${{ inquiryNo }}`,
      paragraphs: [
        text`The family of application ${{ inquiryNo }} has withdrawn its consent. No more answers are stored.`,
        text`Erase the answers that the law does not require you to keep, and tell the family.`,
      ],
    };
  },
  'admission.submitted': async (services, inquiryId) => {
    const inquiry = await findInquiry(services, inquiryId);
    if (!inquiry) return undefined;
    const { inquiry_no: inquiryNo, school, phone } = inquiry;
    return {
      subject: text`Admission form received: ${{ inquiryNo }}`,
      paragraphs: [
        text`Dear parent, ${{ school }} has received the admission form ${{ inquiryNo }}. The school will write to you about the next step. Help: ${{ phone }}.`,
      ],
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
