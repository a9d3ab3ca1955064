import { type RawBuilder, sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import type { Master, Values } from '#kit/contract/master.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { ApprovalKind, Context, UserContext } from '#kit/server/context.ts';
import { ask } from '#kit/server/hook.ts';
import { changeRow } from '#kit/server/master/routes.ts';
import { auditEach } from '#kit/server/security/audit.ts';
import { saveSetting } from '#kit/server/settings.ts';
import { type DecidedTerms, termsDecided } from '../../contract/hooks.ts';
import { bankAccountMaster, headMaster, receiptSeriesMaster } from '../../contract/masters.ts';
import { proposalMessages, type WaitingChange } from '../../contract/proposal.ts';
import { applyDiscount } from '../discount/discount.ts';
import { applyFineTerms, type FineChange } from '../structure/fine-rule.ts';
import { isAboutPayee, type ProposalKind } from './proposal.ts';

interface Kind {
  title: Text;
  /** The page of the records, below /school-erp. */
  to: string;
  /** The version of the record now. */
  versionOf: (ctx: UserContext, proposal: Proposal) => Promise<number>;
  /** Saves what was typed. */
  apply: (ctx: UserContext, proposal: Proposal) => Promise<unknown>;
}

const subjectOf = ({ subjectId, basis }: Pick<Proposal, 'subjectId' | 'basis'>) =>
  subjectId === null ? null : { id: subjectId, version: basis };
const lockedVersion = async ({ db }: UserContext, table: string, key: RawBuilder<unknown>) => {
  const { rows } = await sql<{
    version: number;
  }>`select version from ${sql.table(table)} where ${key} for update`.execute(db);
  return rows[0]?.version ?? 0;
};
const versionIn =
  (table: string) =>
  (ctx: UserContext, { subjectId }: Proposal) =>
    subjectId === null ? Promise.resolve(0) : lockedVersion(ctx, table, sql`id = ${subjectId}`);

const ofMaster = (master: Master, title: Text, tab: string): Kind => ({
  title,
  to: `fee/fee-master?tab=${tab}`,
  versionOf: versionIn(master.table),
  apply: (ctx, proposal) =>
    changeRow(ctx, master, { id: proposal.subjectId ?? 0, version: proposal.basis }, proposal.input as Values),
});

/** Terms that another feature keeps: it finds out whether they have changed since. */
const ofOthers = (kind: DecidedTerms['kind'], title: Text, to: string): Kind => ({
  title,
  to,
  versionOf: (_ctx, { basis }) => Promise.resolve(basis),
  apply: (ctx, { approvalId, input, ...proposal }) =>
    ask(ctx, termsDecided, { kind, subject: subjectOf(proposal), input, approvalId }),
});

const kinds: Record<ProposalKind, Kind> = {
  Discount: {
    title: text`Discount`,
    to: 'fee/fee-discount-master?tab=discount',
    versionOf: versionIn('fee_discount'),
    apply: (ctx, proposal) => applyDiscount(ctx, subjectOf(proposal), proposal.input),
  },
  'Fee head': ofMaster(headMaster, text`Fee head`, 'head'),
  'Receipt series': ofMaster(receiptSeriesMaster, text`Receipt series`, 'receipt-series'),
  'Bank account': ofMaster(bankAccountMaster, text`Bank account`, 'bank-account'),
  'Late fine rule': {
    title: text`Late fine rule`,
    to: 'fee/fee-master?tab=fine-rule',
    versionOf: versionIn('fee_fine_rule'),
    apply: (ctx, { subjectId, basis, input }) =>
      applyFineTerms(ctx, { id: subjectId ?? 0, version: basis, ...(input as FineChange) }),
  },
  Setting: {
    title: text`Setting`,
    to: '',
    versionOf: (ctx, { settingKey }) => lockedVersion(ctx, 'setting', sql`key = ${settingKey}`),
    apply: (ctx, { settingKey, basis, input }) =>
      saveSetting(ctx, { key: settingKey ?? '', value: (input as { value: never }).value, rowVersion: basis }),
  },
  'Slab price': ofOthers('Slab price', text`Slab price`, 'transport/?tab=slab-price'),
  'Free seat': ofOthers('Free seat', text`Free seat on the bus`, 'transport/?tab=rider'),
};

interface Proposal extends Pick<WaitingChange, 'id' | 'subjectId' | 'name' | 'lines'> {
  kind: ProposalKind;
  settingKey: string | null;
  input: object;
  basis: number;
  version: number;
  /** The request, once it is approved. */
  approvalId: number;
}

const proposalsOf = async ({ db }: Pick<Context, 'db'>, ids: readonly number[], isLocked = false) =>
  (
    await sql<Proposal>`select id, kind, subject_id as "subjectId", setting_key as "settingKey", name, input, lines, basis, version,
        coalesce((select id from approval where fee_proposal_id = fee_proposal.id and status = 'Approved'), 0) as "approvalId" from fee_proposal
      where id = any(${ids}::integer[]) order by id ${isLocked ? sql`for update` : sql``}`.execute(db)
  ).rows;

/** A second person decides on the terms of fees; what was asked is saved then, unless the record has changed since. */
export const termsApproval: ApprovalKind = {
  kind: 'fee.terms',
  subject: 'fee_proposal_id',
  title: text`Terms of fees`,
  notice: text`A change of fee terms is waiting for your approval.`,
  sets: ['financeApprover', 'principal'],
  describe: async (ctx, ids) =>
    new Map(
      (await proposalsOf(ctx, ids)).map(({ id, kind, subjectId, settingKey, name, lines, version }) => [
        id,
        {
          facts: [
            { label: kinds[kind].title, value: verbatim(name) },
            ...lines.map(({ label, from, to }) => ({
              label: verbatim(label),
              value: verbatim(isNew({ subjectId, settingKey }) ? to || '–' : `${from || '–'} → ${to || '–'}`),
            })),
          ],
          effect: [effectOf(kind, isNew({ subjectId, settingKey }))],
          to: kinds[kind].to,
          basis: version,
        },
      ]),
    ),
  lock: async ({ db }, ids) => {
    await sql`select from fee_account where student_id in (select student_id from approval
      where fee_proposal_id = any(${[...ids]}::integer[])) order by id for update`.execute(db);
  },
  decide: async (ctx, ids, outcome) => {
    const proposals = await proposalsOf(ctx, ids, true);
    const status = outcome === 'Approved' ? 'Done' : outcome;
    await sql`update fee_proposal set status = ${status}, version = version + 1 where id = any(${ids}::integer[])`.execute(
      ctx.db,
    );
    const action = `fee-proposal.${outcome === 'Approved' ? 'applied' : outcome.toLowerCase()}`;
    await auditEach(ctx, { action, entity: 'fee_proposal' }, ids);
    if (outcome !== 'Approved') return;
    // A few; each is the act of its own kind.
    for (const proposal of proposals) await apply(ctx, proposal);
    if (!proposals.some(({ kind }) => isAboutPayee(kind))) return;
    const { id: row } = await ctx.db
      .selectFrom('audit')
      .where('action', '=', action)
      .where('entity', '=', 'fee_proposal')
      .where('request_id', '=', ctx.requestId)
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirstOrThrow();
    await ctx.reportAct(ctx, Number(row));
  },
};

function effectOf(kind: ProposalKind, isAdded: boolean): Text {
  if (kind === 'Free seat') return text`The seat costs nothing; the fees of the year follow.`;
  if (kind === 'Slab price')
    return isAdded
      ? text`It is added.`
      : text`The price counts for the whole year; the fees of its riders follow. A rider on whose plan a change waits keeps the old price until then.`;
  return isAdded
    ? text`It is added. A second person also decides on each concession with it.`
    : text`The change counts from now on.`;
}

const isNew = ({ subjectId, settingKey }: Pick<Proposal, 'subjectId' | 'settingKey'>) =>
  subjectId === null && settingKey === null;

async function apply(ctx: UserContext, proposal: Proposal) {
  const kind = kinds[proposal.kind];
  if ((await kind.versionOf(ctx, proposal)) !== proposal.basis)
    throw new AppError('conflict', proposalMessages.changed);
  await kind.apply(ctx, proposal);
}
