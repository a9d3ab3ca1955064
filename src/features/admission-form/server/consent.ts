import { AppError } from '#kit/contract/errors.ts';
import type { Language } from '#kit/contract/languages.ts';
import type { Text } from '#kit/contract/text.ts';
import type { Context, LinkContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { queueMessage } from '#kit/server/messages/outbox.ts';
import { audit } from '#kit/server/security/audit.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { consentApi, consentWithdrawn, tooManyAgreements } from '../contract/consent.ts';
import { dropDrafts } from './draft.ts';
import { checkOwner, consentState, isConsentWanting, lockInquiry, parent, says } from './form.ts';

const read: Handler<typeof consentApi.read> = async (ctx, input) => {
  checkOwner(ctx, input);
  if (ctx.inquiry.submittedAt) return { isSuccess: true, ...says(), data: { isRequired: false, consent: null } };
  return current(ctx);
};

/** Agreements of one family within a day. This limits withdrawals too, which are never refused. */
const agreements = { kind: 'consent', most: 10, windowSeconds: 24 * 3600 };

/** Records who agreed to which version of the notice (I7). Agreeing again changes nothing. */
const give: Handler<typeof consentApi.give> = async (ctx, input) => {
  checkOwner(ctx, input);
  const inquiry = await lockInquiry(ctx);
  if (await findConsent(ctx)) return current(ctx);
  const wait = await countHit(ctx.db, agreements, `inquiry:${ctx.inquiry.id}`);
  if (wait > 0) throw new AppError('too_many_tries', tooManyAgreements, { retryAfter: wait });
  await recordConsent(ctx, ctx.inquiry.id, {
    noticeVersion: input.noticeVersion,
    language: input.language,
    name: input.consentName,
    relation: input.consentRelation as Relation,
    linkVersion: inquiry.link_version,
    recordedBy: parent,
  });
  return current(ctx);
};

/** Withdraws consent with one call: drafts are deleted at once, and the school is asked to erase the rest. */
const withdraw: Handler<typeof consentApi.withdraw> = async (ctx, input) => {
  checkOwner(ctx, input);
  await lockInquiry(ctx);
  const { numUpdatedRows } = await ctx.db
    .updateTable('admission_consent')
    .set({ withdrawn_at: ctx.now() })
    .where('inquiry_id', '=', ctx.inquiry.id)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return current(ctx);
  await dropDrafts(ctx);
  await auditConsent(ctx, 'withdrawn', ctx.inquiry.id, parent);
  // At most one email a day, however often a family changes its mind.
  const dedupeKey = `admission.consent-withdrawn:${ctx.inquiry.id}:${toLocalDate(ctx.now())}`;
  await tellSchool(ctx, { template: 'admission.consent-withdrawn', subjectId: ctx.inquiry.id, dedupeKey });
  return current(ctx, consentWithdrawn);
};

export default routes(consentApi, { read, give, withdraw });

type Relation = 'Father' | 'Mother' | 'Guardian';

export interface GivenConsent {
  noticeVersion: string;
  language: Language;
  name: string;
  relation: Relation;
  /** Of the link it was given with; absent where the office recorded it from paper. */
  linkVersion?: number;
  recordedBy: string;
}

/** Writes consent and its audit row. Call it with the inquiry's row locked or new. */
export async function recordConsent(ctx: Context, inquiryId: number, values: GivenConsent) {
  await ctx.db
    .insertInto('admission_consent')
    .values({
      inquiry_id: inquiryId,
      notice_version: values.noticeVersion,
      language: values.language,
      name: values.name,
      relation: values.relation,
      link_version: values.linkVersion ?? null,
      address: values.linkVersion ? ctx.address : null,
      recorded_by: values.recordedBy,
      given_at: ctx.now(),
    })
    .execute();
  await auditConsent(ctx, 'given', inquiryId, values.recordedBy);
}

const auditConsent = (ctx: Context, what: string, inquiryId: number, actor: string) =>
  audit(ctx, { actor, action: `admission.consent.${what}`, entity: 'admission_inquiry', entityId: inquiryId });

/** Whether the form stays closed: the school asks for consent and this inquiry has none. */
async function lacksConsent(ctx: LinkContext): Promise<boolean> {
  return isConsentWanting(await ctx.db.selectNoFrom(consentState(ctx)).executeTakeFirstOrThrow());
}

const findConsent = ({ db, inquiry }: LinkContext) =>
  db
    .selectFrom('admission_consent')
    .where('inquiry_id', '=', inquiry.id)
    .where('withdrawn_at', 'is', null)
    .select(['notice_version', 'language', 'name', 'relation', 'given_at', 'recorded_by'])
    .executeTakeFirst();

async function current(ctx: LinkContext, text?: Text) {
  const found = await findConsent(ctx);
  const consent = found && {
    noticeVersion: found.notice_version,
    language: found.language as GivenConsent['language'],
    name: found.name,
    relation: found.relation,
    givenDateTime: found.given_at.toISOString(),
    isRecordedBySchool: found.recorded_by !== parent,
  };
  return { isSuccess: true, ...says(text), data: { isRequired: await lacksConsent(ctx), consent: consent ?? null } };
}

/** Queues a message to the school's own address, where it has one. */
export async function tellSchool(ctx: Context, message: { template: string; subjectId: number; dedupeKey?: string }) {
  const school = await ctx.db.selectFrom('academic_school').select('email').executeTakeFirst();
  if (school?.email) await queueMessage(ctx, { channel: 'email', recipient: school.email, ...message });
}
