import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { AcademicYear } from '#features/calendar/contract/year.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { call } from '#kit/browser/data/call.ts';
import { useSend } from '#kit/browser/data/read.ts';
import { said } from '#kit/browser/text.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { sectionTeacherApi } from '../contract/section-teacher.ts';

/** Copies who taught what at the end of the year before, after saying what that does and what it leaves out. */
export function CopyTeachers({ from, to }: { from: AcademicYear; to: AcademicYear }) {
  const { t } = useLingui();
  const toast = useToast();
  const copy = useSend(sectionTeacherApi.copy);
  const { attempt, problem } = useAttempt();
  const [found, setFound] = useState<OutputOf<typeof sectionTeacherApi.copy>>();
  const input = { fromYearId: from.id, toYearId: to.id };
  const there = found?.there ?? 0;
  return (
    <>
      <button
        type="button"
        className="button"
        onClick={() => attempt(async () => setFound(await call(sectionTeacherApi.copy, { ...input, isTrial: true })))}
      >
        <Trans>Copy from {from.name}…</Trans>
      </button>
      {!found && problem}
      {found && (
        <AskDialog
          title={t`Copy from ${from.name}`}
          confirm={<Trans>Copy</Trans>}
          problem={
            <>
              {found.left.length > 0 && (
                <details className="left-out">
                  <summary>
                    <Plural value={found.left.length} one="# is left out" other="# are left out" />
                  </summary>
                  <ul>
                    {found.left.map(({ what, why }) => (
                      <li key={what}>
                        {what}. <span className="soft">{said(why)}</span>
                      </li>
                    ))}
                  </ul>
                </details>
              )}
              {problem}
            </>
          }
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
            one={`# teacher of a section is copied from ${from.name} to ${to.name}, from its first day on.`}
            other={`# teachers of sections are copied from ${from.name} to ${to.name}, from its first day on.`}
          />{' '}
          {there > 0 && (
            <Plural value={there} one="# is there already and stays." other="# are there already and stay." />
          )}
        </AskDialog>
      )}
    </>
  );
}
