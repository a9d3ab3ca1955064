import { applyConcessions, type Concession, type ConcessionStep, type ConcessionValue } from './concession.ts';
import { type ChargedDue, charge, chargeHead, type PlanFacts } from './price.ts';

/** A concession of a student; a fixed amount is spread over the months of its head. */
export interface GivenConcession extends Omit<Concession, 'value'> {
  value: Exclude<ConcessionValue, { kind: 'Fixed' }> | { kind: 'Fixed'; amount: number };
}

export interface PricedFacts extends PlanFacts {
  concessions: readonly GivenConcession[];
  /** The most of the charges that concessions may take off, in hundredths of a percent. */
  cap: number;
}

/** What a student owes of one head for a period, in paise. */
export interface PricedDue extends ChargedDue {
  concessions: { concessionId: number; amount: number }[];
  /** Each concession on the due, in the order in which they are taken off. */
  steps: ConcessionStep[];
  concession: number;
  net: number;
}

/** The dues of a plan with its concessions, in the order of their due days. The same facts give the same dues. */
export function price(facts: PricedFacts): PricedDue[] {
  const dues = charge(facts);
  const given = facts.concessions.map((one) => spread(facts, one));
  const conceded = applyConcessions(dues, given, { cap: facts.cap });
  return dues.map((due, at) => {
    const { concession = 0, steps = [] } = conceded[at] ?? {};
    return {
      ...due,
      concessions: steps
        .filter(({ amount }) => amount > 0)
        .map(({ concessionId, amount }) => ({ concessionId, amount })),
      steps,
      concession,
      net: due.gross - due.proRata - concession,
    };
  });
}

/** A fixed amount with the months of its head from its own first month on, by what was known in that month. */
function spread(facts: PlanFacts, concession: GivenConcession): Concession {
  const { value, headIds, fromMonth } = concession;
  if (value.kind !== 'Fixed') return { ...concession, value };
  const head = facts.heads.find(({ feeHeadId }) => headIds?.includes(feeHeadId));
  const stages = head?.stages.filter((stage) => stage.fromMonth <= fromMonth) ?? [];
  const months = head
    ? chargeHead({ ...facts, leftOn: null }, { ...head, stages })
        .flatMap((due) => due.months.map(({ month }) => month))
        .filter((month) => month >= fromMonth)
        .toSorted((one, other) => one - other)
    : [];
  return { ...concession, value: { ...value, months } };
}
