import { sql } from 'kysely';
import { requestApproval } from '#features/approval/api.ts';
import { AppError } from '#kit/contract/errors.ts';
import { verbatim } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { routes } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import {
  proposalApi,
  type proposalKinds,
  proposalMessages,
  type SavedOrAsked,
  type WaitingChange,
} from '../../contract/proposal.ts';

/** The kinds of records whose changes a second person decides. */
export type ProposalKind = (typeof proposalKinds)[number];

/** Whether the school has taken money; until then one person sets up its fees. */
export async function isGuarded({ db }: Pick<Context, 'db'>): Promise<boolean> {
  const { rows } = await sql<{ guarded: boolean }>`select fee_is_guarded() as guarded`.execute(db);
  return rows[0]?.guarded ?? false;
}

type Details = Record<string, string>;
type Saved = Pick<SavedOrAsked, 'id' | 'version'>;

interface Change {
  kind: ProposalKind;
  /** Null for a new record. */
  subject: { id: number; version: number } | null;
  /** As it was typed. */
  input: object;
  name: string;
  /** What a record says, as the audit log has it. */
  detailsOf: (id: number) => Promise<Details>;
  /** Whether a change of these details applies at once, since it lowers nothing. */
  isFree: (before: Details, after: Details, changed: readonly string[]) => boolean;
  save: () => Promise<Saved>;
}

/**
 * Saves a change of what decides on fees, or keeps it for a second person. It is tried in either case, so that a change that
 * cannot be saved is refused at once.
 */
export async function saveOrAsk(ctx: UserContext, change: Change): Promise<SavedOrAsked> {
  const { kind, subject, input, name, detailsOf, isFree, save } = change;
  if (!(await isGuarded(ctx))) return { ...(await save()), status: 'Saved' };
  const before = subject ? await detailsOf(subject.id) : {};
  await sql`savepoint fee_proposal`.execute(ctx.db);
  const saved = await save();
  const after = await detailsOf(saved.id);
  const labels = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = labels.filter((key) => (before[key] ?? '') !== (after[key] ?? ''));
  if (subject && isFree(before, after, changed)) return { ...saved, status: 'Saved' };
  await sql`rollback to savepoint fee_proposal`.execute(ctx.db);
  const lines = changed.map((label) => ({ label, from: before[label] ?? '', to: after[label] ?? '' }));
  await propose(ctx, { kind, subject, basis: subject?.version ?? 0, input, name, lines });
  return { id: subject?.id ?? 0, version: subject?.version ?? 0, status: 'Asked' };
}

interface Proposal extends Pick<Change, 'kind' | 'subject' | 'input' | 'name'> {
  settingKey?: string;
  /** Whom it is about: a guardian of the student does not decide. */
  student?: { id: number; branchId: number | null };
  basis: number;
  lines: WaitingChange['lines'];
}

/** Keeps a change and asks a second person for it. */
export async function propose(
  ctx: UserContext,
  { kind, subject, settingKey, student, basis, input, name, lines }: Proposal,
) {
  const { rows } = await sql<{ id: number }>`
    insert into fee_proposal (kind, subject_id, setting_key, name, input, lines, basis, asked_by, asked_at)
    values (${kind}, ${subject?.id ?? null}, ${settingKey ?? null}, ${name.slice(0, 120)}, ${JSON.stringify(input)},
      ${JSON.stringify(lines)}, ${basis}, ${ctx.user.staffId}, ${ctx.now()})
    on conflict do nothing returning id`.execute(ctx.db);
  const [made] = rows;
  if (!made) throw new AppError('conflict', proposalMessages.waits);
  await requestApproval(ctx, {
    kind: 'fee.terms',
    subjectId: made.id,
    branchId: student?.branchId ?? null,
    studentId: student?.id ?? null,
    // The title names no person: the student has a column.
    title: verbatim(student ? kind : `${kind}: ${name}`.slice(0, 200)),
  });
  const row = await audit(ctx, {
    action: 'fee-proposal.asked',
    entity: 'fee_proposal',
    entityId: made.id,
    version: 1,
    details: Object.fromEntries(lines.map(({ label, from, to }) => [label, `${from || '–'} → ${to || '–'}`])),
  });
  if (isAboutPayee(kind)) await ctx.reportAct(ctx, row);
}

/** Whether a change may say where families pay: the Admins learn of it by email. */
export const isAboutPayee = (kind: ProposalKind) => kind === 'Receipt series' || kind === 'Bank account';

/** The changes of a kind that wait for a second person. */
export async function waitingOf({ db }: Pick<Context, 'db'>, kind: ProposalKind): Promise<WaitingChange[]> {
  const { rows } = await sql<WaitingChange>`
    select proposal.id, subject_id as "subjectId", proposal.name, lines, staff.name as "askedBy",
      asked_at::date::text as "askedOn"
    from fee_proposal proposal join staff on staff.id = proposal.asked_by
    where kind = ${kind} and status = 'Asked' order by proposal.id`.execute(db);
  return rows;
}

export const proposalRoutes = routes(proposalApi, {
  list: async (ctx, { kind }) => ({ rows: await waitingOf(ctx, kind) }),
});
