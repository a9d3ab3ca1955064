import { sql } from 'kysely';
import { codeMinutes, codeOf, isCode, newSalt } from '#features/sign-in/api.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { LinkContext } from '#kit/server/context.ts';
import type { Database } from '#kit/server/database/database.ts';
import { columnsOf, toWire } from '#kit/server/database/row-map.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { queueMessage, type Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';
import { countHit } from '#kit/server/security/limits.ts';
import type { siblingApi } from '../contract/sibling.ts';
import { isOffered } from './career.ts';
import { type Answers, fillDraft } from './draft.ts';
import { auditChange, openForChange, says } from './form.ts';
import { familyLanguage, languageOf } from './link-words.ts';
import { masked } from './masked.ts';
import { lockedValues } from './parent-info.ts';
import { isForSibling } from './recipient.ts';
import { mobilesOf, type SiblingRow, siblingRow } from './sibling-offer.ts';
import { basicInfoColumns, parentInfoColumns } from './wire.ts';

const noOffer = new AppError('not_found', notFoundMessage);
const codes = { kind: 'sibling-code', most: 3, windowSeconds: 3600 };
const tries = { kind: 'sibling-code-tried', most: 5, windowSeconds: 3600 };
const wrongCode = text`This code is wrong or has expired. Enter the code of the newest message.`;

/** The linked form, while its details can still be filled in. */
async function findSibling(ctx: LinkContext): Promise<SiblingRow> {
  const { sibling } = await ctx.db.selectNoFrom(siblingRow(ctx).as('sibling')).executeTakeFirstOrThrow();
  if (!sibling || sibling.isUsed) throw noOffer;
  return sibling;
}

export const sendCode: Handler<typeof siblingApi.sendCode> = async (ctx, { parent, ...keys }) => {
  const { openPages } = await openForChange(ctx, keys);
  if (openPages.length > 0) throw noOffer;
  const receiver = mobilesOf(await findSibling(ctx)).find((one) => one.parent === parent);
  if (!receiver) throw fieldRefusal('parent', text`The school has no mobile number of this parent.`);
  for (const subject of [`inquiry:${ctx.inquiry.id}`, receiver.mobile]) {
    const wait = await countHit(ctx.db, codes, subject);
    if (wait > 0) throw new AppError('too_many_tries', text`Too many attempts. Try again later.`, { retryAfter: wait });
  }
  await ctx.db
    .updateTable('admission_sibling_code')
    .set({ used_at: ctx.now() })
    .where('inquiry_id', '=', ctx.inquiry.id)
    .where('used_at', 'is', null)
    .execute();
  const { id } = await ctx.db
    .insertInto('admission_sibling_code')
    .values({
      inquiry_id: ctx.inquiry.id,
      parent: parent === 'Father' ? 'father' : 'mother',
      salt: newSalt(),
      expires_at: sql`now() + make_interval(mins => ${codeMinutes})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await queueMessage(ctx, {
    channel: 'sms',
    template: 'admission.sibling-code',
    recipient: receiver.mobile,
    subjectId: id,
    isAwaited: true,
  });
  await auditChange(ctx, { action: 'admission.sibling.code-sent', entity: 'admission_inquiry', details: { parent } });
  const mobile = masked(receiver.mobile);
  return { isSuccess: true, ...says(text`We sent a code to ${{ mobile }}. Use it within ${{ codeMinutes }} minutes.`) };
};

export const siblingCodeMessage: Template = {
  isFor: isForSibling,
  render: async (services, id) => {
    const row = await services.db
      .selectFrom('admission_sibling_code as code')
      .innerJoin('admission_inquiry as inquiry', 'inquiry.id', 'code.inquiry_id')
      .innerJoin('academic_school as school', (join) => join.onTrue())
      .where('code.id', '=', id)
      .where('code.used_at', 'is', null)
      .where('code.expires_at', '>', sql<Date>`now()`)
      .select(['code.id', 'salt', 'school.name as school'])
      .select(familyLanguage(sql`inquiry.id`, sql`inquiry.language`).as('language'))
      .executeTakeFirst();
    if (!row) return undefined;
    return { ...codeWords(codeOf(services, row), row.school), language: languageOf(row) };
  },
};

const codeWords = (code: string, school: string): Rendered => ({
  subject: text`${{ code }} is your code for the admission form`,
  paragraphs: [
    text`${{ code }} is your code to fill in the details of your family in the admission form of ${{ school }}. Use it within ${{ codeMinutes }} minutes. The school never asks for it.`,
  ],
});

export const siblingCodeText: TextMessage = {
  when: text`When a family fills in its details from a brother’s or sister’s form.`,
  example: ({ name }) => codeWords('AB3DE', name),
};

/** Deletes codes a day after they expired. */
export const forgetCodes = (db: Database) =>
  db.deleteFrom('admission_sibling_code').where('expires_at', '<', sql<Date>`now() - interval '1 day'`).execute();

export const useDetails: Handler<typeof siblingApi.useDetails> = async (ctx, { code, ...keys }) => {
  const row = await ctx.db
    .selectFrom('admission_sibling_code')
    .where('inquiry_id', '=', ctx.inquiry.id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .select(['id', 'salt'])
    .executeTakeFirst();
  // Counted before the check and outside its transaction, so that simultaneous and refused tries count too.
  const wait = await countHit(ctx.db, tries, `inquiry:${ctx.inquiry.id}`);
  if (wait > 0) throw new AppError('too_many_tries', text`Too many attempts. Try again later.`, { retryAfter: wait });
  if (!row || !isCode(ctx, row, code)) throw fieldRefusal('code', wrongCode);
  await ctx.db.transaction().execute((db) => fillIn({ ...ctx, db }, keys, row.id));
  return { isSuccess: true, ...says(text`Filled in. Check every answer before you save.`) };
};

/** Fills in the pages that the family has not saved. */
async function fillIn(ctx: LinkContext, keys: Parameters<typeof openForChange>[1], codeId: number) {
  const { openPages } = await openForChange(ctx, keys);
  if (openPages.length > 0) throw noOffer;
  const { id } = await findSibling(ctx);
  const { numUpdatedRows } = await ctx.db
    .updateTable('admission_sibling_code')
    .set({ used_at: ctx.now() })
    .where('id', '=', codeId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw fieldRefusal('code', wrongCode);
  const { db, inquiry } = ctx;
  const saved = await db
    .selectNoFrom([
      sql<boolean>`exists (select from admission_basic_info where inquiry_id = ${inquiry.id})`.as('basicInfo'),
      sql<boolean>`exists (select from admission_parent_info where inquiry_id = ${inquiry.id})`.as('parentInfo'),
    ])
    .executeTakeFirstOrThrow();
  if (!saved.basicInfo) await fillDraft(ctx, 'basic-info', await addressesOf(ctx, id));
  if (!saved.parentInfo) await fillDraft(ctx, 'parent-info', await parentsOf(ctx, id));
  await db.updateTable('admission_inquiry').set({ sibling_used_at: ctx.now() }).where('id', '=', inquiry.id).execute();
  await auditChange(ctx, { action: 'admission.sibling.details-used', entity: 'admission_inquiry' });
}

/** The answers that say something. */
const filled = (answers: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== null && value !== '')) as Answers;

async function addressesOf({ db }: LinkContext, siblingId: number): Promise<Answers> {
  const row = await db
    .selectFrom('admission_basic_info')
    .where('inquiry_id', '=', siblingId)
    .select(columnsOf(basicInfoColumns))
    .executeTakeFirst();
  const answers = Object.entries(row ? toWire(basicInfoColumns, row) : {});
  return filled(
    Object.fromEntries(
      answers.filter(([name]) => /^(current|permanent)/.test(name) || name === 'sameAsPresentAddress'),
    ),
  );
}

/** Of page 2, what a family's children have in common: not a divorce, an adoption or a file, which it tells again. */
const isShared = (name: string) =>
  /^(father|mother|guardian)/.test(name) ||
  ['hasNoFather', 'noFatherReason', 'hasNoMother', 'noMotherReason', 'isParentLocalGuardian'].includes(name) ||
  ['parentWorkingatFS', 'staffHRISEmployeeID'].includes(name);

async function parentsOf(ctx: LinkContext, siblingId: number): Promise<Answers> {
  const { db, inquiry } = ctx;
  const row = await db
    .selectFrom('admission_parent_info')
    .where('inquiry_id', '=', siblingId)
    .select(columnsOf(parentInfoColumns))
    .executeTakeFirst();
  if (!row) return {};
  const locked = await lockedValues(ctx);
  const careers = await db.selectFrom('academic_career').where(isOffered(inquiry.id)).select('id').execute();
  const isChoice = new Set(careers.map(({ id }) => id));
  const isLost = (name: string, value: unknown) =>
    /(CareerCluster|CareePathway)ID$/.test(name) && !isChoice.has(Number(value));
  const answers = Object.entries(toWire(parentInfoColumns, row));
  return filled(
    Object.fromEntries(
      answers.filter(
        ([name, value]) => isShared(name) && !(name in locked) && (value === null || !isLost(name, value)),
      ),
    ),
  );
}
