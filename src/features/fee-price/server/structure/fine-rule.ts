import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { isActiveLabel } from '#kit/contract/master.ts';
import { english } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { type ConstraintMessages, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { readOptions } from '#kit/server/master/options.ts';
import { serveParts } from '#kit/server/record/parts.ts';
import { notFound } from '#kit/server/record/version.ts';
import {
  type FineRule,
  type FineTerms,
  fineMessages,
  fineRuleApi,
  fineRuleNames,
  type SlabDraft,
  termsWords,
} from '../../contract/fine-rule.ts';
import { saveOrAsk } from '../control/proposal.ts';

const rules: ConstraintMessages = {
  table: 'fee_fine_rule',
  fields: {},
  constraintMessages: {
    fee_fine_rule_name_unique: { field: 'name', message: fineMessages.sameName },
    fee_fine_version_overlap: { field: 'effectiveFrom', message: fineMessages.fromDay },
    fee_fine_slab_rising: { field: 'slabs', message: fineMessages.more },
  },
};

const fineRules = ({ db, now }: Pick<UserContext, 'db' | 'now'>) =>
  db
    .selectFrom('fee_fine_rule as rule')
    .select(['id', 'name', 'is_active as isActive', 'version'])
    .select(sql<number>`(select count(*) from fee_head where fine_rule_id = rule.id)`.as('usedBy'))
    .select(
      sql<FineTerms[]>`(select jsonb_agg(jsonb_build_object('id', v.id, 'effectiveFrom', v.effective_from,
        'effectiveTo', coalesce(v.effective_to::text, ''), 'kind', v.kind, 'amount', v.amount, 'graceDays', v.grace_days,
        'maxAmount', v.max_amount, 'isFuture', v.effective_from > ${toLocalDate(now())}::date,
        'slabs', (select coalesce(jsonb_agg(jsonb_build_object('fromDay', from_day, 'amount', amount) order by from_day),
          '[]') from fee_fine_slab where version_id = v.id)) order by v.effective_from desc)
        from fee_fine_version as v where v.rule_id = rule.id)`.as('versions'),
    )
    .$castTo<FineRule>();

const findOptions: Handler<typeof fineRuleApi.options> = (ctx, asked) => readOptions(ctx.db, fineRuleNames, asked);

type Terms = Omit<Parameters<Handler<typeof fineRuleApi.create>>[1], 'name'>;

async function addVersion({ db }: UserContext, ruleId: number, terms: Terms) {
  const isSlab = terms.kind === 'Slab';
  const { id } = await db
    .insertInto('fee_fine_version')
    .values({
      rule_id: ruleId,
      effective_from: terms.effectiveFrom,
      kind: terms.kind,
      amount: isSlab ? null : terms.amount,
      grace_days: terms.graceDays ?? 0,
      // A slab's highest amount is its limit, and one fine needs none.
      max_amount: terms.kind === 'Per day' ? terms.maxAmount : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (isSlab)
    await db
      .insertInto('fee_fine_slab')
      .values(terms.slabs.map((slab) => slabOf(id, slab)))
      .execute();
}

const slabOf = (versionId: number, { fromDay, amount }: SlabDraft) => ({
  version_id: versionId,
  from_day: fromDay ?? 1,
  amount: amount ?? 0,
});

/** What terms are, for the audit log. */
const wordsOf = (versions: readonly FineTerms[], effectiveFrom?: string) => {
  const found = versions.find((terms) => terms.effectiveFrom === effectiveFrom) ?? versions[0];
  return found ? { [`From ${found.effectiveFrom}`]: english(termsWords(found)) } : {};
};

const { list, history, create, remove, lock, end } = serveParts<FineRule, Terms & { name: string }>({
  word: 'fine-rule',
  rules,
  read: (ctx, id) =>
    fineRules(ctx)
      .where((row) => (id === undefined ? row.lit(true) : row('rule.id', '=', id)))
      .orderBy(sql`lower(name)`)
      .execute(),
  write: async (ctx, { name, ...terms }) => {
    const made = await ctx.db.insertInto('fee_fine_rule').values({ name }).returning('id').executeTakeFirstOrThrow();
    await addVersion(ctx, made.id, terms);
    return made;
  },
  details: ({ name, versions }) => ({ Name: name, ...wordsOf(versions) }),
});

const rename: Handler<typeof fineRuleApi.rename> = async (ctx, { id, version, name, isActive }) => {
  const before = await lock(ctx, { id, version });
  const details: Record<string, string> = {};
  if (before.name !== name) details.Name = `${before.name} → ${name}`;
  const [was, is] = [before.isActive, isActive].map((active) => (active ? 'Yes' : 'No'));
  if (was !== is) details[english(isActiveLabel)] = `${was} → ${is}`;
  if (Object.keys(details).length === 0) return { id, version };
  return withConstraintMessages(ctx, rules, () => end(ctx, id, 'changed', details, { name, is_active: isActive }));
};

/** Terms that are added from a later day; null removes the latest terms. */
export interface FineChange {
  terms: Terms | null;
}

/** Saves what was asked for, as it was typed. */
export const applyFineTerms = (ctx: UserContext, { terms, ...rule }: FineChange & { id: number; version: number }) =>
  terms ? saveTerms(ctx, { ...rule, terms }) : dropTerms(ctx, rule);

async function saveTerms(ctx: UserContext, { id, version, terms }: { id: number; version: number; terms: Terms }) {
  const before = await lock(ctx, { id, version });
  const latest = before.versions[0];
  if (latest && terms.effectiveFrom <= latest.effectiveFrom) throw fieldRefusal('effectiveFrom', fineMessages.fromDay);
  await withConstraintMessages(ctx, rules, async () => {
    if (latest)
      await ctx.db
        .updateTable('fee_fine_version')
        .set({ effective_to: sql`${terms.effectiveFrom}::date - 1` })
        .where('id', '=', latest.id)
        .execute();
    await addVersion(ctx, id, terms);
  });
  const after = await fineRules(ctx).where('id', '=', id).executeTakeFirstOrThrow();
  return end(ctx, id, 'terms-added', wordsOf(after.versions, terms.effectiveFrom));
}

async function dropTerms(ctx: UserContext, { id, version }: { id: number; version: number }) {
  const { versions } = await lock(ctx, { id, version });
  const [latest, before] = versions;
  if (!latest?.isFuture || !before) throw new AppError('conflict', fineMessages.past);
  await ctx.db.deleteFrom('fee_fine_version').where('id', '=', latest.id).execute();
  await ctx.db.updateTable('fee_fine_version').set({ effective_to: null }).where('id', '=', before.id).execute();
  return end(ctx, id, 'terms-removed', wordsOf(versions));
}

/** What the terms of a rule are, each by its first day. */
const termsOf = async (ctx: UserContext, id: number): Promise<Record<string, string>> => {
  const { versions } = await fineRules(ctx).where('id', '=', id).executeTakeFirstOrThrow(notFound);
  return Object.fromEntries(
    versions.map((terms) => [`From ${showDate(terms.effectiveFrom)}`, english(termsWords(terms))]),
  );
};

/** Fines follow other terms once a second person approves. */
const changeTerms = async (ctx: UserContext, { id, version, terms }: FineChange & { id: number; version: number }) => {
  const { name } = await fineRules(ctx).where('id', '=', id).executeTakeFirstOrThrow(notFound);
  return saveOrAsk(ctx, {
    kind: 'Late fine rule',
    subject: { id, version },
    input: { terms },
    name,
    detailsOf: (own) => termsOf(ctx, own),
    isFree: () => false,
    save: () => applyFineTerms(ctx, { id, version, terms }),
  });
};

const addTerms: Handler<typeof fineRuleApi.addTerms> = (ctx, { id, version, ...terms }) =>
  changeTerms(ctx, { id, version, terms });
const removeTerms: Handler<typeof fineRuleApi.removeTerms> = (ctx, rule) => changeTerms(ctx, { ...rule, terms: null });

export default routes(fineRuleApi, {
  list,
  options: findOptions,
  history,
  create,
  rename,
  addTerms,
  removeTerms,
  remove,
});
