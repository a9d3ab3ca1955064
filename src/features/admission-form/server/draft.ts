import { randomUUID } from 'node:crypto';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import { cleanCode } from '#kit/contract/typed.ts';
import type { LinkContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { isMask, maskAadhaar } from '#kit/server/security/aadhaar.ts';
import { open, seal } from '#kit/server/security/sealed.ts';
import { additionalInfoDraft } from '../contract/additional-info.ts';
import { basicInfoDraft } from '../contract/basic-info.ts';
import { firstChange, type SavedPage } from '../contract/change.ts';
import { documentDraft } from '../contract/document.ts';
import { type DraftPage, draftApi } from '../contract/draft.ts';
import { educationDraft } from '../contract/education.ts';
import { alreadySubmitted, formKeys } from '../contract/form.ts';
import { healthDraft } from '../contract/health.ts';
import { languageDraft } from '../contract/language.ts';
import { parentInfoDraft } from '../contract/parent-info.ts';
import { openAadhaar } from './aadhaar.ts';
import { checkOwner, isClosed, openForChange, says } from './form.ts';

export type Answers = Record<string, string | boolean | number | null>;

/** The questions of each page; a draft drops other fields of a request (B06). */
const questions: Record<DraftPage, readonly string[]> = {
  'basic-info': questionsOf(basicInfoDraft),
  'parent-info': questionsOf(parentInfoDraft),
  'education-history': questionsOf(educationDraft),
  health: questionsOf(healthDraft),
  'additional-info': questionsOf(additionalInfoDraft),
  documents: questionsOf(documentDraft),
  language: questionsOf(languageDraft),
};

/** The page of the form, from 1 to 5, that a draft belongs to. */
const pageOfDraft: Record<DraftPage, number> = {
  'basic-info': 1,
  'parent-info': 2,
  'education-history': 3,
  health: 3,
  'additional-info': 4,
  documents: 5,
  language: 5,
};

function questionsOf({ shape }: { shape: object }) {
  return Object.keys(shape).filter((name) => !(name in formKeys) && name !== 'detailsNotApplicable');
}

const read: Handler<typeof draftApi.read> = async (ctx, { page, ...keys }) => {
  checkOwner(ctx, keys);
  if (isClosed(ctx, pageOfDraft[page])) throw new AppError('already_submitted', alreadySubmitted);
  const stored = await findDraft(ctx, page);
  const answers = stored?.answers ? openAnswers(ctx, page, stored.answers) : null;
  return result(stored, answers && { ...answers, ...maskedAadhaar(answers) });
};

/**
 * Keeps a draft without validating it. A late draft of the same visit is dropped; one that is based on an older number
 * than another visit's draft is refused as `stale`, so that the person can choose (B14).
 */
const saveDraft: Handler<typeof draftApi.keep> = async (ctx, { page, number, basedOn, visit, answers, ...keys }) => {
  await openForChange(ctx, keys, pageOfDraft[page]);
  const stored = await findDraft(ctx, page);
  if (stored && stored.visit !== visit && stored.number > basedOn) {
    throw new AppError('stale', text`This page was changed on another device since you opened it.`, {
      data: { number: stored.number, savedDateTime: stored.saved_at.toISOString() },
    });
  }
  if (stored && stored.visit === visit && number <= stored.number) return result(stored, null);

  const known = Object.fromEntries(Object.entries(answers).filter(([name]) => questions[page].includes(name)));
  const before = stored?.answers ? openAnswers(ctx, page, stored.answers) : {};
  const row = {
    number: Math.max(number, (stored?.number ?? 0) + 1),
    visit,
    answers: seal(ctx.keys.data, placeOf(ctx, page), JSON.stringify({ ...known, ...keptAadhaar(known, before) })),
    saved_at: ctx.now(),
  };
  await ctx.db
    .insertInto('admission_draft')
    .values({ inquiry_id: ctx.inquiry.id, page, ...row })
    .onConflict((conflict) => conflict.columns(['inquiry_id', 'page']).doUpdateSet(row))
    .execute();
  return result(row, null);
};

export default routes(draftApi, { read, keep: saveDraft });

/** Deletes all drafts when the form is submitted or consent is withdrawn (B51). */
export const dropDrafts = (ctx: LinkContext) =>
  ctx.db.deleteFrom('admission_draft').where('inquiry_id', '=', ctx.inquiry.id).execute();

/** The first question whose answer in the draft differs from the saved page. */
export async function unsavedField(ctx: LinkContext, page: SavedPage, saved: object): Promise<string | undefined> {
  const stored = await findDraft(ctx, page);
  if (!stored?.answers) return undefined;
  const typed = openAnswers(ctx, page, stored.answers);
  const changed = firstChange(page, { ...typed, ...maskedAadhaar(typed) }, saved as Record<string, unknown>);
  return changed ?? ((await isOtherAadhaar(ctx, typed.aadharCardNo)) ? 'aadharCardNo' : undefined);
}

/** Compares the numbers themselves: equal masks can hide different ones. */
async function isOtherAadhaar(ctx: LinkContext, typed: unknown) {
  if (typeof typed !== 'string' || isMask(typed)) return false;
  const stored = await ctx.db
    .selectFrom('admission_basic_info')
    .where('inquiry_id', '=', ctx.inquiry.id)
    .select('aadhaar')
    .executeTakeFirst();
  return stored !== undefined && bare(openAadhaar(ctx, ctx.inquiry.id, stored.aadhaar)) !== bare(typed);
}

const bare = (number: string) => cleanCode(number).replace(/[\s-]/g, '');

/** The Aadhaar number as it was typed into the draft of page 1; undefined where there is none. */
export async function draftAadhaar(ctx: LinkContext): Promise<string | undefined> {
  const stored = await findDraft(ctx, 'basic-info');
  const number = stored?.answers && openAnswers(ctx, 'basic-info', stored.answers).aadharCardNo;
  return typeof number === 'string' ? number : undefined;
}

/**
 * Fills in the empty answers of a page's draft; what the family has typed stays. A page that is open meanwhile is told
 * that its draft has changed.
 */
export async function fillDraft(ctx: LinkContext, page: DraftPage, offered: Answers) {
  const stored = await findDraft(ctx, page);
  const typed = stored?.answers ? openAnswers(ctx, page, stored.answers) : {};
  const isEmpty = (name: string) => typed[name] === undefined || typed[name] === null || typed[name] === '';
  const missing = Object.entries(offered).filter(([name]) => isEmpty(name));
  const row = {
    number: (stored?.number ?? 0) + 1,
    visit: randomUUID(),
    answers: seal(ctx.keys.data, placeOf(ctx, page), JSON.stringify({ ...typed, ...Object.fromEntries(missing) })),
    saved_at: ctx.now(),
  };
  await ctx.db
    .insertInto('admission_draft')
    .values({ inquiry_id: ctx.inquiry.id, page, ...row })
    .onConflict((conflict) => conflict.columns(['inquiry_id', 'page']).doUpdateSet(row))
    .execute();
}

const findDraft = ({ db, inquiry }: LinkContext, page: DraftPage) =>
  db
    .selectFrom('admission_draft')
    .where('inquiry_id', '=', inquiry.id)
    .where('page', '=', page)
    .select(['number', 'visit', 'answers', 'saved_at'])
    .executeTakeFirst();

const placeOf = ({ inquiry }: LinkContext, page: DraftPage) => `admission_draft.answers:${inquiry.id}:${page}`;

const openAnswers = (ctx: LinkContext, page: DraftPage, sealed: Buffer): Answers =>
  JSON.parse(open(ctx.keys.data, placeOf(ctx, page), sealed).toString());

interface Stored {
  number: number;
  visit: string;
  saved_at: Date;
}

function result(stored: Stored | undefined, answers: Answers | null) {
  const { number = 0, visit = '', saved_at } = stored ?? {};
  const data = { number, visit, savedDateTime: saved_at?.toISOString() ?? null, answers };
  return { isSuccess: true, ...says(), data };
}

/** A number is shown masked (B07); an incomplete one is not shown, so it must be typed again. */
function maskedAadhaar({ aadharCardNo: number }: Answers): Answers {
  if (typeof number !== 'string' || number === '') return {};
  const isHalf = /^[0-9]{0,11}$/.test(bare(number));
  return { aadharCardNo: isHalf ? '' : maskAadhaar(number) };
}

/** An unchanged mask stands for the number typed before. */
function keptAadhaar({ aadharCardNo: number }: Answers, before: Answers): Answers {
  const typed = before.aadharCardNo;
  const isMask = typeof typed === 'string' && number === maskAadhaar(typed);
  return isMask ? { aadharCardNo: typed } : {};
}
