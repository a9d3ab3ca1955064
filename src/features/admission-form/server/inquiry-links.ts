import type { Services } from '#kit/server/context.ts';
import { linkAddress, linkValue } from './link-value.ts';

/** The progress of a family's form. */
export type InquiryState =
  | 'untouched'
  | 'consent needed'
  | 'half filled'
  | 'ready to submit'
  | 'submitted'
  | 'expired'
  | 'revoked';

/** The first 10 inquiries with their links and states, for the demo. */
export async function listInquiries({ db, keys, publicUrl, now }: Services) {
  const rows = await db
    .selectFrom('admission_inquiry as inquiry')
    .select([
      'inquiry_no',
      'link_version',
      'link_key_id',
      'link_expires_at',
      'link_revoked_at',
      'submitted_at',
      'first_name',
    ])
    .select((inquiry) => [
      inquiry
        .exists(inquiry.selectFrom('admission_basic_info').whereRef('inquiry_id', '=', 'inquiry.id'))
        .as('is_started'),
      inquiry
        .selectFrom('admission_document')
        .whereRef('inquiry_id', '=', 'inquiry.id')
        .select(({ fn }) => fn.countAll<number>().as('documents'))
        .as('documents'),
      inquiry
        .exists(
          inquiry
            .selectFrom('admission_consent')
            .whereRef('inquiry_id', '=', 'inquiry.id')
            .where('withdrawn_at', 'is', null),
        )
        .as('has_consent'),
    ])
    .orderBy('inquiry.id')
    .limit(10)
    .execute();
  return rows.map((row) => {
    const value = linkValue(keys, { inquiryNo: row.inquiry_no, version: row.link_version, keyId: row.link_key_id });
    return { inquiryNo: row.inquiry_no, link: linkAddress(publicUrl, value), state: stateOf(row, now()) };
  });
}

function stateOf(
  row: {
    link_revoked_at: Date | null;
    link_expires_at: Date;
    submitted_at: Date | null;
    is_started: unknown;
    documents: number | null;
    has_consent: unknown;
  },
  now: Date,
): InquiryState {
  if (row.link_revoked_at) return 'revoked';
  if (row.link_expires_at <= now) return 'expired';
  if (row.submitted_at) return 'submitted';
  if (!row.has_consent) return 'consent needed';
  if ((row.documents ?? 0) >= 2) return 'ready to submit';
  return row.is_started ? 'half filled' : 'untouched';
}
