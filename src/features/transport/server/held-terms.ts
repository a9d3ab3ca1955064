import { sql } from 'kysely';
import { isGuarded, propose, waitingOf } from '#features/fee-price/api.ts';
import { type DecidedTerms, termsDecided } from '#features/fee-price/contract/hooks.ts';
import { proposalMessages } from '#features/fee-price/contract/proposal.ts';
import { AppError } from '#kit/contract/errors.ts';
import type { Master, MasterRow, Values } from '#kit/contract/master.ts';
import type { UserContext } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { namedDetails } from '#kit/server/master/details.ts';
import type { MasterGuard } from '#kit/server/master/guard.ts';
import { changeRow, createRow } from '#kit/server/master/routes.ts';
import { readRow } from '#kit/server/master/rows.ts';
import { audit } from '#kit/server/security/audit.ts';
import type { fleetApi } from '../contract/fleet.ts';
import { slabPriceMaster } from '../contract/masters.ts';
import { riderMessages } from '../contract/rider.ts';
import { chargeRidersOf } from './charge-run.ts';
import { chargeRides } from './fee-link.ts';

type Saved = { id: number; version: number };

/** Saves a price; undefined where the database refuses it without a second person, and nothing is saved. */
async function savedAlone(ctx: UserContext, save: () => Promise<Saved>): Promise<Saved | undefined> {
  await sql`savepoint slab_price`.execute(ctx.db);
  try {
    const saved = await save();
    await sql`release savepoint slab_price`.execute(ctx.db);
    return saved;
  } catch (error) {
    if (!(error instanceof AppError) || error.text !== riderMessages.priceAlone) throw error;
    await sql`rollback to savepoint slab_price`.execute(ctx.db);
    return undefined;
  }
}

/** What was typed, as a row with the names of its year and slab. */
async function typedRow({ db }: UserContext, values: Values): Promise<Pick<MasterRow, 'names' | 'displayName'>> {
  const { rows } = await sql<{ year: string; slab: string }>`select year.name as year, slab.name as slab
    from academic_year year, transport_fee_slab slab
    where year.id = ${Number(values.academicYearId)} and slab.id = ${Number(values.slabId)}`.execute(db);
  const { year = '', slab = '' } = rows[0] ?? {};
  return { ...values, names: { academicYearId: year, slabId: slab }, displayName: `${year}, ${slab}` };
}

const detailsOf = (row: object) => namedDetails(slabPriceMaster, row as MasterRow) as Record<string, string>;

async function holdPrice(ctx: UserContext, subject: Saved | null, values: Values) {
  const typed = await typedRow(ctx, values);
  const before = subject && (await readRow(ctx, slabPriceMaster, subject.id));
  const [was, is] = [before ? detailsOf(before) : {}, detailsOf({ ...before, ...typed })];
  await propose(ctx, {
    kind: 'Slab price',
    subject,
    basis: subject?.version ?? 0,
    input: values,
    name: (before ?? typed).displayName,
    lines: Object.keys(is)
      .filter((label) => was[label] !== is[label])
      .map((label) => ({ label, from: String(was[label] ?? ''), to: String(is[label] ?? '') })),
  });
}

const isPrice = ({ table }: Master) => table === slabPriceMaster.table;

/** A price of a slab that costs less, and a new one below that of another year, wait for a second person. */
export const guardPrices: MasterGuard = {
  fieldsOf: async (ctx, master) =>
    isPrice(master) && (await isGuarded(ctx)) ? ['monthAmount', 'oneWayShare', 'months'] : [],
  holdsNew: async (ctx, master) => isPrice(master) && isGuarded(ctx),
  add: async (ctx, { master, values }, save) => {
    const saved = isPrice(master) ? await savedAlone(ctx, save) : await save();
    if (saved) return saved;
    await holdPrice(ctx, null, values);
    return { id: 0, version: 0, isHeld: true };
  },
  change: async (ctx, { master, id, version, values }, save) => {
    const saved = isPrice(master) ? await savedAlone(ctx, save) : await save();
    if (saved) return saved;
    await holdPrice(ctx, { id, version }, values);
    return { id, version, isHeld: true };
  },
};

interface Seat {
  id: number;
  version: number;
  studentId: number;
  name: string;
}

/** Asks a second person for the free seats of children; they are charged by their stop until then. */
export async function holdFreeSeats(ctx: UserContext, seats: readonly Seat[]) {
  const { rows } = await sql<{ id: number; branchId: number }>`select id, branch_id as "branchId" from student
    where id = any(${seats.map(({ studentId }) => studentId)}::integer[])`.execute(ctx.db);
  const branches = new Map(rows.map(({ id, branchId }) => [id, branchId]));
  // As many as one form assigns; each is a request of its own.
  for (const { id, version, studentId, name } of seats)
    await propose(ctx, {
      kind: 'Free seat',
      subject: { id, version },
      basis: version,
      student: { id: studentId, branchId: branches.get(studentId) ?? null },
      input: { fee: 'Free' },
      name,
      lines: [{ label: 'Fee', from: 'By stop', to: 'Free' }],
    });
}

/** Saves what a second person approved, and charges the riders accordingly. */
export const applyDecided = answer(termsDecided, { by: 'transport', step: 8 }, async (acting, decided) => {
  const ctx = acting as UserContext;
  if (decided.kind === 'Free seat') await giveFreeSeat(ctx, decided);
  else await savePrice(ctx, decided);
  return undefined;
});

async function savePrice(ctx: UserContext, { subject, input, approvalId }: DecidedTerms) {
  if (!subject) {
    await createRow(ctx, slabPriceMaster, input as Values);
    return;
  }
  try {
    await changeRow(ctx, slabPriceMaster, subject, input as Values);
  } catch (error) {
    if (error instanceof AppError && error.code === 'stale') throw new AppError('conflict', proposalMessages.changed);
    throw error;
  }
  await chargeRidersOf(ctx, subject.id, approvalId);
}

async function giveFreeSeat(ctx: UserContext, { subject, approvalId }: DecidedTerms) {
  const { rows } = await sql<{ studentId: number; name: string; version: number }>`
    update transport_assignment own set fee = 'Free', version = own.version + 1 from student
    where own.id = ${subject?.id ?? 0} and own.version = ${subject?.version ?? 0} and student.id = own.student_id
      and own.fee = 'By stop'
    returning student.id as "studentId", student.name, own.version`.execute(ctx.db);
  const [seat] = rows;
  if (!seat) throw new AppError('conflict', proposalMessages.changed);
  await audit(ctx, {
    action: 'transport-rider.freed',
    entity: 'transport_assignment',
    entityId: subject?.id ?? 0,
    version: seat.version,
    details: { Name: seat.name, Fee: 'Free' },
  });
  await chargeRides(ctx, [seat.studentId], { approvalId });
}

export const waitingPrices: Handler<typeof fleetApi.waitingPrices> = async (ctx) => ({
  rows: await waitingOf(ctx, 'Slab price'),
});
