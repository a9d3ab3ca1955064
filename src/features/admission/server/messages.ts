import { sql } from 'kysely';
import { exampleMessage, isForLinkHolder, type LinkWords, readLinkWords } from '#features/admission-form/api.ts';
import { onDay, type Text, text } from '#kit/contract/text.ts';
import { localTimeZone, toLocalDate } from '#kit/server/day.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';
import { findChoice } from './interaction/find-choice.ts';

interface Meeting {
  day: string;
  time: string;
  place: string;
}

const meetingWords = (
  { language, child, school, phone, link, shortLink }: LinkWords,
  { day, time, place }: Meeting,
): Rendered => ({
  language,
  page: link,
  subject: text`Meeting about the application of ${{ child }}`,
  paragraphs: [
    text`Dear parent, ${{ school }} invites ${{ child }} and you to a meeting on ${{ day: onDay(day) }} at ${{ time }}: ${{ place }}.`,
    text`It is also here: ${{ link }}`,
    text`Help: ${{ phone }}.`,
  ],
  sms: text`Dear parent, ${{ school }} invites ${{ child }} and you to a meeting on ${{ day: onDay(day, true) }} at ${{ time }}: ${{ shortLink }} Help: ${{ phone }}`,
});

const cancelledWords = ({ language, child, school, phone, link, shortLink }: LinkWords): Rendered => ({
  language,
  page: link,
  subject: text`The meeting about the application of ${{ child }} is cancelled`,
  paragraphs: [
    text`Dear parent, the meeting about the application of ${{ child }} at ${{ school }} is cancelled. The school will write to you. See: ${{ link }}`,
    text`Help: ${{ phone }}.`,
  ],
  sms: text`Dear parent, the meeting about the application of ${{ child }} at ${{ school }} is cancelled. See: ${{ shortLink }} Help: ${{ phone }}`,
});

const chooseWords = (
  { language, child, school, phone, link, shortLink }: LinkWords,
  { day, time }: { day: string; time: string },
): Rendered => ({
  language,
  page: link,
  subject: text`Choose a time for the meeting about the application of ${{ child }}`,
  paragraphs: [
    text`Dear parent, ${{ school }} invites ${{ child }} and you to a meeting. Choose a time by ${{ day: onDay(day) }}, ${{ time }}: ${{ link }}`,
    text`Help: ${{ phone }}.`,
  ],
  sms: text`Dear parent, choose a time for the meeting of ${{ child }} at ${{ school }} by ${{ day: onDay(day, true) }}, ${{ time }}: ${{ shortLink }} Help: ${{ phone }}`,
});

const reminderWords = (
  { language, child, school, phone, link, shortLink }: LinkWords,
  { day }: { day: string },
): Rendered => ({
  language,
  page: link,
  subject: text`Please answer about the application of ${{ child }} by ${{ day: onDay(day) }}`,
  paragraphs: [
    text`Dear parent, ${{ school }} waits for your answer about the application of ${{ child }} until ${{ day: onDay(day) }}. Read it here: ${{ link }}`,
    text`Help: ${{ phone }}.`,
  ],
  sms: text`Dear parent, ${{ school }} waits for your answer about the application of ${{ child }} until ${{ day: onDay(day, true) }}: ${{ shortLink }} Help: ${{ phone }}`,
});

const welcomeWords = (
  { language, child, school, phone }: LinkWords,
  { grNo, grade, day }: { grNo: string; grade: string; day: string },
): Rendered => ({
  language,
  subject: text`Welcome to ${{ school }}`,
  paragraphs: [
    text`Dear parent, ${{ child }} is admitted to ${{ grade }} of ${{ school }} and joins on ${{ day: onDay(day) }}. The GR number is ${{ grNo }}.`,
    text`Help: ${{ phone }}.`,
  ],
  sms: text`Dear parent, ${{ child }} is admitted to ${{ grade }} of ${{ school }} and joins on ${{ day: onDay(day, true) }}. GR number: ${{ grNo }}. Help: ${{ phone }}`,
});

const timeOf = (moment: Date) =>
  moment.toLocaleTimeString('en-GB', { timeZone: localTimeZone, hour: '2-digit', minute: '2-digit' });

/** Each is written from the record when it is sent. */
export const messages: Record<string, Template> = {
  /** Not sent once the meeting has begun. Says “cancelled” only of a meeting that was cancelled. */
  'admission.meeting': {
    isFor: isForLinkHolder,
    render: async (services, inquiryId, version) => {
      const words = await readLinkWords(services, inquiryId, version);
      if (!words) return undefined;
      const { rows } = await sql<{ starts_at: Date; place: string; status: string }>`
        select own.starts_at, own.status, coalesce(room.name, slot.place) as place
        from admission_interaction own join admission_slot slot on slot.id = own.slot_id
        left join academic_room room on room.id = slot.room_id
        where own.inquiry_id = ${inquiryId} and own.status in ('Planned', 'Cancelled')
          and own.starts_at > ${services.now()}
        order by own.status desc, own.starts_at limit 1`.execute(services.db);
      const [next] = rows;
      if (!next) return undefined;
      if (next.status === 'Cancelled') return cancelledWords(words);
      const moment = new Date(next.starts_at);
      return meetingWords(words, { day: toLocalDate(moment), time: timeOf(moment), place: next.place });
    },
  },
  /** Not sent once the family has a time, or can't choose one any more. */
  'admission.choose-time': {
    isFor: isForLinkHolder,
    render: async (services, inquiryId, version) => {
      const words = await readLinkWords(services, inquiryId, version);
      const choice = await findChoice(services, inquiryId);
      if (!words || !choice || choice.planned) return undefined;
      return chooseWords(words, { day: toLocalDate(choice.until), time: timeOf(choice.until) });
    },
  },
  'admission.offer-reminder': {
    isFor: isForLinkHolder,
    render: async (services, inquiryId, version) => {
      const words = await readLinkWords(services, inquiryId, version);
      const offer = await services.db
        .selectFrom('admission_inquiry')
        .where('id', '=', inquiryId)
        .where('state', '=', 'Offered')
        .where('offer_expires_on', '>=', toLocalDate(services.now()))
        .select('offer_expires_on')
        .executeTakeFirst();
      return words && offer?.offer_expires_on ? reminderWords(words, { day: offer.offer_expires_on }) : undefined;
    },
  },
  'admission.welcome': {
    isFor: isForLinkHolder,
    render: async (services, inquiryId, version) => {
      const words = await readLinkWords(services, inquiryId, version);
      const student = await services.db
        .selectFrom('admission_inquiry as inquiry')
        .innerJoin('student', 'student.id', 'inquiry.student_id')
        .innerJoin('academic_grade as grade', 'grade.id', 'inquiry.grade_id')
        .where('inquiry.id', '=', inquiryId)
        .select(['student.gr_no', 'student.admitted_on', 'grade.name as grade'])
        .executeTakeFirst();
      return words && student
        ? welcomeWords(words, { grNo: student.gr_no, grade: student.grade, day: student.admitted_on })
        : undefined;
    },
  },
};

const exampleOf = (wordsFor: (words: LinkWords) => Rendered, when: Text): TextMessage => ({
  when,
  example: exampleMessage(wordsFor),
});
const day = '2027-09-24';

export const textMessages: Record<string, TextMessage> = {
  'admission.meeting': exampleOf(
    (words) => meetingWords(words, { day, time: '10:00', place: 'Room 12' }),
    text`When a family is invited to an interaction, and when it is moved.`,
  ),
  'admission.choose-time': exampleOf(
    (words) => chooseWords(words, { day, time: '18:00' }),
    text`When a family is asked to choose the time of an interaction.`,
  ),
  'admission.offer-reminder': exampleOf(
    (words) => reminderWords(words, { day }),
    text`When an offer ends soon and the family has not answered.`,
  ),
  'admission.welcome': exampleOf(
    (words) => welcomeWords(words, { grNo: '1694', grade: 'Grade 1', day }),
    text`When the account of an admitted child is created.`,
  ),
};
