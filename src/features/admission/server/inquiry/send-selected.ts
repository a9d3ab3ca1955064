import { previewToParents, type ToParents } from '#features/admission-form/api.ts';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import type { Selection } from '#kit/contract/list-view.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { lockRuns, type NewRun, startRun, undoSeconds } from '#kit/server/job/runs.ts';
import { previewOrApply } from '#kit/server/preview.ts';

export interface SelectedSend {
  confirmToken?: string | undefined;
  selection: Selection;
}

interface Decided {
  id: number;
  version: number;
  inquiry_no: string;
  first_name: string | null;
  last_name: string | null;
  /** Why nothing is sent to this family; undefined where it is. */
  reason: Text | undefined;
}

export const hasNoContact = text`Has no email address and no mobile number.`;
export const isJustSent = text`The form was sent less than an hour ago.`;
const isRemindedToday = text`Was reminded today.`;
const isRemindedOften = (n: number) =>
  text({ message: 'Was reminded {n, plural, one {# time} other {# times}}.' }, { n });

interface Reminded {
  reminders: number;
  most_reminders: number;
  reminded_at: Date | null;
}

/** Why a family is not reminded again: only so often, and once a day. */
export function whyNotAgain(row: Reminded, now: Date): Text | undefined {
  if (row.reminders >= row.most_reminders) return isRemindedOften(row.reminders);
  return row.reminded_at && toLocalDate(row.reminded_at) === toLocalDate(now) ? isRemindedToday : undefined;
}

/** Previews or starts a run that sends a message to selected families. It can be undone for a moment. */
export const startSelected = (
  ctx: UserContext,
  { template, ...run }: Pick<NewRun, 'kind' | 'told' | 'access' | 'beginsAt'> & Pick<ToParents, 'template'>,
  { confirmToken, selection }: SelectedSend,
  decide: () => Promise<Decided[]>,
) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const last = await lockRuns(ctx, run.kind, isPreview);
    const decided = (await decide()).map((row) => ({
      id: row.id,
      version: row.version,
      name: [row.first_name, row.last_name].filter(Boolean).join(' ') || row.inquiry_no,
      reason: row.reason,
    }));
    const rows = decided.filter(({ reason }) => !reason);
    const skipped = decided.flatMap(({ id, name, reason }) => (reason ? [{ id, name, reason }] : []));
    const runId =
      isPreview || rows.length === 0
        ? null
        : await startRun(ctx, { ...run, input: {}, rows, waitSeconds: undoSeconds });
    return {
      answer: {
        changed: rows.length,
        skipped: skipped.slice(0, mostSkippedShown),
        skippedCount: skipped.length,
        runId,
        example: isPreview ? await exampleOf(ctx, template, rows) : null,
      },
      // A token counts once: the next run of the kind has another.
      basis: [selection, last, decided.map(({ id, version, reason }) => [id, version, reason?.id])],
      isRefused: rows.length === 0,
    };
  });

/** The message as the first family would read it. */
async function exampleOf(ctx: UserContext, template: ToParents['template'], [row]: { id: number; name: string }[]) {
  const message = row && (await previewToParents(ctx, { inquiryId: row.id, template }));
  return message ? { name: row.name, ...message } : null;
}
