import { type RawBuilder, sql } from 'kysely';
import { stillOffered } from '#features/school/api.ts';
import { isLanguage, type Language } from '#kit/contract/languages.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Services } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';
import { shortAddress } from '#kit/server/security/link-value.ts';
import { linkAddress, linkValue, shortCode } from './link-value.ts';

/** What a message with the form's link says. */
export interface LinkWords {
  school: string;
  phone: string;
  child: string | Text;
  /** The day until which the link works, YYYY-MM-DD. */
  day: string;
  /** The family's. */
  language: Language;
  link: string;
  shortLink: string;
}

/** An example whose values are as long as most. */
export const example =
  (wordsFor: (words: LinkWords) => Rendered): TextMessage['example'] =>
  ({ name, phone }, publicUrl) =>
    wordsFor({
      school: name,
      phone,
      child: 'Aarohi',
      day: '2027-09-24',
      language: 'en',
      link: linkAddress(publicUrl, '0'.repeat(32)),
      shortLink: shortAddress(publicUrl, 'Ab3dE6gH9k'),
    });

/** The words of a message with the link of a version; undefined where that link no longer opens the form. */
export async function readLinkWords(services: Services, id: number, version: number | null) {
  const inquiry = await findInquiry(services, id, version);
  return inquiry && !inquiry.link_revoked_at ? wordsOf(services, inquiry) : undefined;
}

/** The language of a family's messages; English where it is unknown. */
export const languageOf = ({ language }: { language: string }): Language => (isLanguage(language) ? language : 'en');

/**
 * The language of a family's messages, by the id and language of the inquiry. A form that was submitted while a server of
 * an earlier version was running has only its answer.
 */
export const familyLanguage = (id: RawBuilder<number>, language: RawBuilder<string>): RawBuilder<string> =>
  stillOffered(sql<string>`coalesce(nullif(${language}, ''), (
    select case answer.school_language when 'Gujarati' then 'gu' when 'Hindi' then 'hi' end
    from admission_language as answer where answer.inquiry_id = ${id}))`);

type LinkRow = NonNullable<Awaited<ReturnType<typeof findInquiry>>>;

export const wordsOf = (services: Services, inquiry: LinkRow): LinkWords => ({
  child: inquiry.first_name ?? text`your child`,
  school: inquiry.school,
  phone: inquiry.phone,
  day: toLocalDate(inquiry.link_expires_at),
  language: languageOf(inquiry),
  link: linkAddress(services.publicUrl, linkOf(services, inquiry)),
  shortLink: shortOf(services, inquiry),
});

const linkOf = ({ keys }: Services, row: { inquiry_no: string; link_version: number; link_key_id: string }) =>
  linkValue(keys, { inquiryNo: row.inquiry_no, version: row.link_version, keyId: row.link_key_id });

const shortOf = ({ keys, publicUrl }: Services, row: Parameters<typeof linkOf>[1]) =>
  shortAddress(
    publicUrl,
    shortCode(keys, { inquiryNo: row.inquiry_no, version: row.link_version, keyId: row.link_key_id }),
  );

/** The inquiry with the link of the version that a message was queued with, if that still opens it. */
export async function findInquiry(services: Services, id: number, version: number | null = null) {
  const row = await selectInquiry(services, id);
  if (!row || version === null || row.link_version === version) return row;
  const { next_link_version, next_link_key_id, next_link_expires_at } = row;
  if (next_link_version !== version || !next_link_key_id || !next_link_expires_at) return undefined;
  return { ...row, link_version: version, link_key_id: next_link_key_id, link_expires_at: next_link_expires_at };
}

const selectInquiry = ({ db }: Services, id: number) =>
  db
    .selectFrom('admission_inquiry')
    .innerJoin('academic_school as school', (join) => join.onTrue())
    .where('admission_inquiry.id', '=', id)
    .select([
      'inquiry_no',
      'first_name',
      'state',
      'link_version',
      'link_key_id',
      'link_expires_at',
      'link_revoked_at',
      'next_link_version',
      'next_link_key_id',
      'next_link_expires_at',
      'school.name as school',
      'school.phone',
    ])
    .select(familyLanguage(sql`admission_inquiry.id`, sql`admission_inquiry.language`).as('language'))
    .executeTakeFirst();
