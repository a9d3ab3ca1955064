import { sql } from 'kysely';
import { AppError, deadLinkMessage, notFoundMessage } from '#kit/contract/errors.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { LinkContext } from '#kit/server/context.ts';
import { type Act, audit } from '#kit/server/security/audit.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { settingValue } from '#kit/server/settings.ts';
import { consentRequired } from '../contract/consent.ts';
import type { DraftPage } from '../contract/draft.ts';
import { alreadySubmitted, tooManySaves } from '../contract/form.ts';
import { isOpenedBy, laterExpiry } from './link.ts';
import { asksConsent } from './settings.ts';
import { beginForm } from './state.ts';

/** The actor of a link holder's changes; the wire's createdBy and updatedBy stay 0 (A44). */
export const parent = 'Parent';

interface Keys {
  admissionID?: unknown;
  inquiryNo?: unknown;
  inquiryNoMD5?: unknown;
}

/** Refuses a request that names another family's form; only the link decides whose form it is (B3, A41). */
export function checkOwner({ inquiry, link }: LinkContext, { admissionID, inquiryNo, inquiryNoMD5 }: Keys) {
  const agrees = (value: unknown, ours: string | number) =>
    value === undefined ||
    value === null ||
    value === '' ||
    (typeof value !== 'object' && String(value) === String(ours));
  if (agrees(admissionID, inquiry.id) && agrees(inquiryNo, inquiry.number) && agrees(inquiryNoMD5, link)) return;
  throw new AppError('not_found', notFoundMessage);
}

/** Locks the inquiry's row, so that changes and the submission run one after the other; refuses once submitted. */
export async function lockInquiry(ctx: LinkContext) {
  const inquiry = await ctx.db
    .selectFrom('admission_inquiry')
    .where('id', '=', ctx.inquiry.id)
    .where(isOpenedBy(ctx))
    .select(['submitted_at', 'link_version'])
    .forUpdate()
    .executeTakeFirst();
  if (!inquiry) throw new AppError('not_found', deadLinkMessage);
  if (inquiry.submitted_at) throw new AppError('already_submitted', alreadySubmitted);
  return inquiry;
}

/** Whether the school asks for consent and whether this inquiry has it, as columns for any query of the inquiry. */
export const consentState = ({ inquiry }: LinkContext) => [
  settingValue(asksConsent).as('asks_consent'),
  sql<boolean>`exists (select from admission_consent where inquiry_id = ${inquiry.id} and withdrawn_at is null)`.as(
    'has_consent',
  ),
];

/** Whether the form stays closed: the school asks for consent and this inquiry has none. */
export const isConsentWanting = (state: { asks_consent: boolean; has_consent: boolean }) =>
  state.asks_consent && !state.has_consent;

/** Whether a page takes changes. A correction reopens some pages; without one, all are open until submission. */
export const isPageOpen = (openPages: readonly number[], page: number) =>
  openPages.length === 0 || openPages.includes(page);

/** Whether a page is read no more: the form is submitted, or a correction leaves this page as it was submitted. */
export const isClosed = ({ inquiry }: LinkContext, page: number) =>
  inquiry.submittedAt !== null || !isPageOpen(inquiry.openPages, page);

/**
 * Opens the form for one change, in one statement: locks it and extends the link. Refuses, changing nothing, once the
 * link has ended, once the form or this page of it is closed, or while consent is missing.
 */
export async function openForChange(ctx: LinkContext, keys: Keys, page?: number) {
  checkOwner(ctx, keys);
  const inquiry = await ctx.db
    .updateTable('admission_inquiry')
    .set({ link_expires_at: laterExpiry(ctx.now()) })
    .where('id', '=', ctx.inquiry.id)
    .where(isOpenedBy(ctx))
    .returning(['submitted_at', 'open_pages', 'state', ...consentState(ctx)])
    .executeTakeFirst();
  if (!inquiry) throw new AppError('not_found', deadLinkMessage);
  const { submitted_at: submittedAt, open_pages: openPages, state } = inquiry;
  const isPageClosed = page !== undefined && !isPageOpen(openPages, page);
  if (submittedAt || isPageClosed) throw new AppError('already_submitted', alreadySubmitted);
  if (isConsentWanting(inquiry)) throw new AppError('consent_required', consentRequired);
  return { openPages, state };
}

/** A form that is open for changes, as the statement that locked it found it. */
export type OpenForm = Awaited<ReturnType<typeof openForChange>>;

type Page = 'admission_basic_info' | 'admission_parent_info' | 'admission_health' | 'admission_additional_info';

interface Stored {
  version: number;
  updated_at: Date;
}

/**
 * The version of the next save. Throws `stale` with both versions' times when the page was changed since it was read
 * (B14); without a given version nothing is compared.
 */
export async function nextVersion(ctx: LinkContext, page: Page, stored: Stored | undefined, read: number | undefined) {
  const current = stored?.version ?? 0;
  if (read === undefined || read === current) return current + 1;

  const readRow = await ctx.db
    .selectFrom('audit')
    .where('entity', '=', page)
    .where('entity_id', '=', ctx.inquiry.id)
    .where('version', '=', read)
    .select('at')
    .executeTakeFirst();
  throw new AppError('stale', text`This page was changed on another device since you opened it.`, {
    data: {
      savedDateTime: stored?.updated_at.toISOString() ?? null,
      readDateTime: readRow?.at.toISOString() ?? null,
      rowVersion: current,
    },
  });
}

/** Changes of one form within an hour; each adds a row to the audit log. */
const saves = { kind: 'save', most: 200, windowSeconds: 3600 };

/** Writes the audit row of a link holder's change; refuses the change when there were too many within the hour. */
export async function auditChange(ctx: LinkContext, act: Omit<Act, 'actor' | 'entityId'>) {
  const wait = await countHit(ctx.db, saves, `inquiry:${ctx.inquiry.id}`);
  if (wait > 0) throw new AppError('too_many_tries', tooManySaves, { retryAfter: wait });
  await audit(ctx, { ...act, actor: parent, entityId: ctx.inquiry.id });
}

/** After a page is saved: writes its audit row, ends its draft, and moves the inquiry on. */
export async function pageSaved(ctx: LinkContext, page: Page, version: number) {
  await auditChange(ctx, { action: `${page.replace('_', '.').replaceAll('_', '-')}.saved`, entity: page, version });
  await endDraft(ctx, page.replace('admission_', '').replaceAll('_', '-') as DraftPage);
  await beginForm(ctx);
}

/** Ends the draft of a saved page. Its number still grows, so that an older draft of another visit is refused. */
export const endDraft = ({ db, inquiry, now }: LinkContext, page: DraftPage) =>
  db
    .updateTable('admission_draft')
    .set((draft) => ({ answers: null, visit: '', number: draft('number', '+', 1), saved_at: now() }))
    .where('inquiry_id', '=', inquiry.id)
    .where('page', '=', page)
    .execute();

/** An answer's message, in English and for the browser to translate. */
export const says = (text?: Text) => ({ message: text ? english(text) : '', text });

/** An answer of the specification's form: the rows under `list`, `isSuccess` false when there are none. */
export function answer<const Name extends string, Row>(
  list: Name,
  rows: Row[],
  rowVersion: number | null = null,
  text?: Text,
) {
  const data = { [list]: rows, rowVersion } as Record<Name, Row[]> & { rowVersion: number | null };
  return { isSuccess: rows.length > 0, ...says(text), data };
}

/** The same answer after a change, when an empty list is no failure. */
export const done = <Answer extends object>(values: Answer, text: Text) => ({
  ...values,
  isSuccess: true,
  ...says(text),
});

/** The answer of every read of a closed page: number, time and status, nothing personal (C9). */
export function submittedAnswer<const Name extends string>(ctx: LinkContext, list: Name) {
  const { number, submittedAt, status } = ctx.inquiry;
  const empty = answer(list, [] as never[], null, alreadySubmitted);
  const submitted = { inquiryNo: number, submittedDateTime: submittedAt?.toISOString() ?? '', status };
  return { ...empty, data: { ...empty.data, submitted } };
}
