import { sql } from 'kysely';
import { AppError, fieldRefusal, notFoundMessage, staleMessage } from '#kit/contract/errors.ts';
import { isActiveLabel } from '#kit/contract/master.ts';
import { english } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { type ConstraintMessages, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { readOptions } from '#kit/server/master/options.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readHistory } from '#kit/server/security/history.ts';
import {
  type FineRule,
  type FineTerms,
  fineMessages,
  fineRuleApi,
  fineRuleNames,
  type SlabDraft,
  termsWords,
} from '../../contract/fine-rule.ts';

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

const list: Handler<typeof fineRuleApi.list> = async (ctx) => ({
  rows: await fineRules(ctx).orderBy(sql`lower(name)`).execute(),
});

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

async function readOne(ctx: UserContext, id: number): Promise<FineRule> {
  const found = await fineRules(ctx).where('id', '=', id).executeTakeFirst();
  if (!found) throw new AppError('not_found', notFoundMessage);
  return found;
}

/** Locks a rule; throws `stale` when the given version is not the current one. */
async function lockRule(ctx: UserContext, { id, version }: { id: number; version: number }): Promise<FineRule> {
  await ctx.db.selectFrom('fee_fine_rule').where('id', '=', id).select('id').forUpdate().execute();
  const found = await readOne(ctx, id);
  if (found.version !== version) throw new AppError('stale', staleMessage, { data: { saved: found } });
  return found;
}

const raise = ({ db }: UserContext, id: number, values: { name?: string; is_active?: boolean } = {}) =>
  db
    .updateTable('fee_fine_rule')
    .set({ ...values, version: sql`version + 1` })
    .where('id', '=', id)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();

const create: Handler<typeof fineRuleApi.create> = async (ctx, { name, ...terms }) => {
  const made = await withConstraintMessages(ctx, rules, async () => {
    const rule = await ctx.db
      .insertInto('fee_fine_rule')
      .values({ name })
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow();
    await addVersion(ctx, rule.id, terms);
    return rule;
  });
  const { versions } = await readOne(ctx, made.id);
  const details = { Name: name, ...wordsOf(versions) };
  await audit(ctx, { action: 'fine-rule.created', entity: rules.table, entityId: made.id, version: 1, details });
  return made;
};

const rename: Handler<typeof fineRuleApi.rename> = async (ctx, { id, version, name, isActive }) => {
  const before = await lockRule(ctx, { id, version });
  const details: Record<string, string> = {};
  if (before.name !== name) details.Name = `${before.name} → ${name}`;
  const [was, is] = [before.isActive, isActive].map((active) => (active ? 'Yes' : 'No'));
  if (was !== is) details[english(isActiveLabel)] = `${was} → ${is}`;
  if (Object.keys(details).length === 0) return { id, version };
  const saved = await withConstraintMessages(ctx, rules, () => raise(ctx, id, { name, is_active: isActive }));
  const act = { action: 'fine-rule.changed', entity: rules.table, entityId: id, version: saved.version };
  await audit(ctx, { ...act, details });
  return saved;
};

const addTerms: Handler<typeof fineRuleApi.addTerms> = async (ctx, { id, version, ...terms }) => {
  const before = await lockRule(ctx, { id, version });
  const latest = before.versions[0];
  if (latest && terms.effectiveFrom <= latest.effectiveFrom) throw fieldRefusal('effectiveFrom', fineMessages.fromDay);
  const saved = await withConstraintMessages(ctx, rules, async () => {
    if (latest)
      await ctx.db
        .updateTable('fee_fine_version')
        .set({ effective_to: sql`${terms.effectiveFrom}::date - 1` })
        .where('id', '=', latest.id)
        .execute();
    await addVersion(ctx, id, terms);
    return raise(ctx, id);
  });
  const { versions } = await readOne(ctx, id);
  await audit(ctx, {
    action: 'fine-rule.terms-added',
    entity: rules.table,
    entityId: id,
    version: saved.version,
    details: wordsOf(versions, terms.effectiveFrom),
  });
  return saved;
};

const removeTerms: Handler<typeof fineRuleApi.removeTerms> = async (ctx, { id, version }) => {
  const { versions } = await lockRule(ctx, { id, version });
  const [latest, before] = versions;
  if (!latest?.isFuture || !before) throw new AppError('conflict', fineMessages.past);
  await ctx.db.deleteFrom('fee_fine_version').where('id', '=', latest.id).execute();
  await ctx.db.updateTable('fee_fine_version').set({ effective_to: null }).where('id', '=', before.id).execute();
  const saved = await raise(ctx, id);
  await audit(ctx, {
    action: 'fine-rule.terms-removed',
    entity: rules.table,
    entityId: id,
    version: saved.version,
    details: wordsOf(versions),
  });
  return saved;
};

const remove: Handler<typeof fineRuleApi.remove> = async (ctx, idAndVersion) => {
  const { id, version, name, versions } = await lockRule(ctx, idAndVersion);
  await withConstraintMessages(ctx, rules, () => ctx.db.deleteFrom('fee_fine_rule').where('id', '=', id).execute());
  const details = { Name: name, ...wordsOf(versions) };
  await audit(ctx, { action: 'fine-rule.removed', entity: rules.table, entityId: id, version, details });
  return {};
};

const history: Handler<typeof fineRuleApi.history> = async (ctx, asked) => {
  await readOne(ctx, asked.id);
  return readHistory(ctx, rules.table, asked);
};

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
