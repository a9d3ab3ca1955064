import { sql } from 'kysely';
import { onDay, text, verbatim } from '#kit/contract/text.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';
import { open } from '#kit/server/security/sealed.ts';
import {
  example,
  familyLanguage,
  findInquiry,
  type LinkWords,
  languageOf,
  readLinkWords,
  wordsOf,
} from './link-words.ts';
import { messagePlace, replyPlace } from './message.ts';
import { isForFamily, isForLinkHolder, isForSchool, isForWriter } from './recipient.ts';
import { siblingCodeMessage, siblingCodeText } from './sibling-details.ts';

/** The admission's messages. Each is made from the inquiry when it is sent, so no link lies in the database. */
export const messages: Record<string, Template> = {
  'admission.link': {
    isFor: isForLinkHolder,
    render: async (services, inquiryId, version) => {
      const inquiry = await findInquiry(services, inquiryId, version);
      if (!inquiry || inquiry.link_revoked_at) return undefined;
      return linkWords(wordsOf(services, inquiry));
    },
  },
  'admission.reminder': {
    isFor: isForLinkHolder,
    render: async (services, inquiryId, version) => {
      const inquiry = await findInquiry(services, inquiryId, version);
      const isUnfinished = inquiry && ['Form sent', 'In progress'].includes(inquiry.state);
      if (!isUnfinished || inquiry.link_revoked_at) return undefined;
      return reminderWords(wordsOf(services, inquiry));
    },
  },
  'admission.correction': {
    isFor: isForLinkHolder,
    render: async (services, inquiryId, version) => {
      const inquiry = await findInquiry(services, inquiryId, version);
      if (!inquiry || inquiry.link_revoked_at || inquiry.state !== 'Correction requested') return undefined;
      return correctionWords(wordsOf(services, inquiry));
    },
  },
  'admission.correction-reminder': {
    isFor: isForLinkHolder,
    render: async (services, inquiryId, version) => {
      const inquiry = await findInquiry(services, inquiryId, version);
      if (!inquiry || inquiry.link_revoked_at || inquiry.state !== 'Correction requested') return undefined;
      return correctionReminderWords(wordsOf(services, inquiry));
    },
  },
  'admission.decision': {
    isFor: isForLinkHolder,
    render: async (services, inquiryId, version) => {
      const words = await readLinkWords(services, inquiryId, version);
      return words && decisionWords(words);
    },
  },
  'admission.reply': {
    isFor: isForWriter,
    render: async (services, messageId) => {
      const message = await services.db
        .selectFrom('admission_message as message')
        .innerJoin('admission_inquiry as inquiry', 'inquiry.id', 'message.inquiry_id')
        .innerJoin('academic_school as school', (join) => join.onTrue())
        .where('message.id', '=', messageId)
        .select(['inquiry_no', 'about', 'reply', 'school.name as school', 'school.phone'])
        .select(familyLanguage(sql`inquiry.id`, sql`inquiry.language`).as('language'))
        .executeTakeFirst();
      if (!message?.reply) return undefined;
      const { inquiry_no: inquiryNo, about, school, phone } = message;
      const words = open(services.keys.data, replyPlace(messageId), message.reply).toString();
      return {
        language: languageOf(message),
        subject: text`Reply to your message: ${{ inquiryNo }}`,
        paragraphs: [
          text`${{ school }} replies to your message about “${{ about: { id: about } }}”:`,
          verbatim(words),
          text`Help: ${{ phone }}.`,
        ],
      };
    },
  },
  'admission.sibling-code': siblingCodeMessage,
  'admission.message': {
    isFor: isForSchool,
    render: async (services, messageId) => {
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
  },
  'admission.consent-withdrawn': {
    isFor: isForSchool,
    render: async (services, inquiryId) => {
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
  },
  'admission.submitted': {
    isFor: isForFamily,
    render: async (services, inquiryId) => {
      const inquiry = await findInquiry(services, inquiryId);
      if (!inquiry) return undefined;
      const { inquiry_no: inquiryNo, school, phone } = inquiry;
      return {
        language: languageOf(inquiry),
        subject: text`Admission form received: ${{ inquiryNo }}`,
        paragraphs: [
          text`Dear parent, ${{ school }} has received the admission form ${{ inquiryNo }}. The school will write to you about the next step. Help: ${{ phone }}.`,
        ],
      };
    },
  },
};

const linkWords = ({ language, child, school, phone, day, link, shortLink }: LinkWords): Rendered => ({
  language,
  page: link,
  subject: text`Admission form for ${{ child }}`,
  paragraphs: [
    text`Dear parent, thank you for your interest in ${{ school }}. Fill in the admission form for ${{ child }} here: ${{ link }}`,
    text`The link works until ${{ date: onDay(day) }}. Help: ${{ phone }}.`,
  ],
  sms: text`Dear parent, fill in the admission form for ${{ child }} at ${{ school }} until ${{ date: onDay(day, true) }}: ${{ shortLink }} Help: ${{ phone }}`,
});

const reminderWords = ({ language, child, school, phone, link, shortLink }: LinkWords): Rendered => ({
  language,
  page: link,
  subject: text`The admission form of ${{ child }} is not finished`,
  paragraphs: [
    text`Dear parent, ${{ school }} is waiting for the admission form of ${{ child }}. Your answers are saved. Continue here: ${{ link }}`,
    text`Help: ${{ phone }}.`,
  ],
  sms: text`Dear parent, the admission form for ${{ child }} at ${{ school }} is not finished. Continue here: ${{ shortLink }} Help: ${{ phone }}`,
});

const correctionWords = ({ language, child, school, phone, link, shortLink }: LinkWords): Rendered => ({
  language,
  page: link,
  subject: text`Please correct the admission form of ${{ child }}`,
  paragraphs: [
    text`Dear parent, ${{ school }} has read the admission form of ${{ child }} and asks you to correct some answers here: ${{ link }}`,
    text`Help: ${{ phone }}.`,
  ],
  sms: text`Dear parent, please correct some answers in the admission form for ${{ child }} at ${{ school }}: ${{ shortLink }} Help: ${{ phone }}`,
});

const correctionReminderWords = ({ language, child, school, phone, link, shortLink }: LinkWords): Rendered => ({
  language,
  page: link,
  subject: text`The admission form of ${{ child }} is not corrected yet`,
  paragraphs: [
    text`Dear parent, ${{ school }} is waiting for your corrections in the admission form of ${{ child }}. You’ll find the school’s remarks next to your answers. Continue here: ${{ link }}`,
    text`Help: ${{ phone }}.`,
  ],
  sms: text`Dear parent, the admission form for ${{ child }} at ${{ school }} is not corrected yet. Continue here: ${{ shortLink }} Help: ${{ phone }}`,
});

/** The decision itself is on the family’s page only. */
const decisionWords = ({ language, child, school, phone, link, shortLink }: LinkWords): Rendered => ({
  language,
  page: link,
  subject: text`There is news about the application of ${{ child }}`,
  paragraphs: [
    text`Dear parent, there is news about the application of ${{ child }} at ${{ school }}. Read it here: ${{ link }}`,
    text`Help: ${{ phone }}.`,
  ],
  sms: text`Dear parent, there is news about the application of ${{ child }} at ${{ school }}: ${{ shortLink }} Help: ${{ phone }}`,
});

/** Those with the form's link, which go to a mobile number where there is no email address, and the code for a sibling's details. */
export const textMessages: Record<string, TextMessage> = {
  'admission.link': { when: text`When a family gets the link to the admission form.`, example: example(linkWords) },
  'admission.reminder': {
    when: text`When a family is reminded of an admission form that is not finished.`,
    example: example(reminderWords),
  },
  'admission.correction': {
    when: text`When a family is asked to correct answers in the admission form.`,
    example: example(correctionWords),
  },
  'admission.correction-reminder': {
    when: text`When a family is reminded of answers to correct.`,
    example: example(correctionReminderWords),
  },
  'admission.decision': {
    when: text`When the school has decided about an application.`,
    example: example(decisionWords),
  },
  'admission.sibling-code': siblingCodeText,
};
