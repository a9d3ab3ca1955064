import type { Master } from '#kit/contract/master.ts';
import { english } from '#kit/contract/text.ts';
import { namedDetails } from '#kit/server/master/details.ts';
import type { MasterGuard } from '#kit/server/master/guard.ts';
import { readRow } from '#kit/server/master/rows.ts';
import { bankAccountMaster, headMaster, receiptSeriesMaster } from '../../contract/masters.ts';
import { isGuarded, type ProposalKind, saveOrAsk } from './proposal.ts';

interface Guarded {
  kind: ProposalKind;
  fields: readonly string[];
}

/** What of each master decides how much a child owes, or to whom money goes. */
const guarded = new Map<string, Guarded>([
  [
    headMaster.table,
    {
      kind: 'Fee head',
      fields: ['isRefundable', 'isDiscountable', 'proRata', 'receiptSeriesId', 'gstRate', 'fineRuleId'],
    },
  ],
  [receiptSeriesMaster.table, { kind: 'Receipt series', fields: ['upiId', 'heading'] }],
  [bankAccountMaster.table, { kind: 'Bank account', fields: ['bank', 'last4', 'ifsc', 'receiptSeriesId'] }],
]);

const labelOf = (master: Master, name: string) => {
  const label = master.fields[name]?.label;
  return label ? english(label) : '';
};

export const guardMasters: MasterGuard = {
  fieldsOf: async (ctx, { table }) => ((await isGuarded(ctx)) ? (guarded.get(table)?.fields ?? []) : []),
  change: async (ctx, { master, id, version, values }, save) => {
    const own = guarded.get(master.table);
    if (!own) return save();
    const labels = own.fields.map((name) => labelOf(master, name));
    const { status, ...saved } = await saveOrAsk(ctx, {
      kind: own.kind,
      subject: { id, version },
      input: values,
      name: (await readRow(ctx, master, id)).displayName,
      detailsOf: async (row) => namedDetails(master, await readRow(ctx, master, row)),
      isFree: (_before, _after, changed) => !changed.some((label) => labels.includes(label)),
      save,
    });
    return { ...saved, isHeld: status === 'Asked' };
  },
};
