import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { AcademicYear } from '#features/calendar/contract/year.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { call } from '#kit/browser/data/call.ts';
import { useSend } from '#kit/browser/data/read.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { gradeSubjectApi } from '../contract/grade-subject.ts';

/** Copies the subjects of the year before into this one, after saying how many that are. */
export function CopySubjects({ to, years }: { to: AcademicYear; years: AcademicYear[] }) {
  const { t } = useLingui();
  const toast = useToast();
  const copy = useSend(gradeSubjectApi.copy);
  const { attempt, problem } = useAttempt();
  const [found, setFound] = useState<{ added: number; there: number }>();
  // The years come with the newest first.
  const from = years[years.findIndex(({ id }) => id === to.id) + 1];
  if (!from || to.status === 'Closed') return null;
  const input = { fromYearId: from.id, toYearId: to.id };
  const there = found?.there ?? 0;
  return (
    <div className="list-buttons">
      <button
        type="button"
        className="button"
        onClick={() => attempt(async () => setFound(await call(gradeSubjectApi.copy, { ...input, isTrial: true })))}
      >
        <Trans>Copy from {from.name}…</Trans>
      </button>
      {!found && problem}
      {found && (
        <AskDialog
          title={t`Copy from ${from.name}`}
          confirm={<Trans>Copy</Trans>}
          problem={problem}
          onClose={() => setFound(undefined)}
          onConfirm={(close) =>
            attempt(async () => {
              const { added } = await copy({ ...input, isTrial: false });
              close();
              toast({ kind: 'success', title: t`Copied: ${added}.` });
            })
          }
        >
          <Plural
            value={found.added}
            one={`# subject of a grade is copied from ${from.name} to ${to.name}, over all programs.`}
            other={`# subjects of grades are copied from ${from.name} to ${to.name}, over all programs.`}
          />{' '}
          {there > 0 && (
            <Plural value={there} one="# is there already and stays." other="# are there already and stay." />
          )}
        </AskDialog>
      )}
    </div>
  );
}
