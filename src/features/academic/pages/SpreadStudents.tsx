import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAttempt } from '#kit/browser/attempt.tsx';
import { call } from '#kit/browser/call.ts';
import { AskDialog } from '#kit/browser/master/AskDialog.tsx';
import { useSend } from '#kit/browser/read.ts';
import { useToast } from '#kit/browser/toast.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { sectionStudentApi } from '../contract/section-student.ts';
import type { GradeOfYear } from './SectionStudentPage.tsx';

type Plan = OutputOf<typeof sectionStudentApi.spread>;

/** Spreads those without a section over the free seats, after showing where each would go. */
export function SpreadStudents({ at, from, onDone }: { at: GradeOfYear; from: string; onDone: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const spread = useSend(sectionStudentApi.spread);
  const { attempt, problem } = useAttempt();
  const [plan, setPlan] = useState<Plan>();
  return (
    <>
      <button
        type="button"
        className="button"
        onClick={() => attempt(async () => setPlan(await call(sectionStudentApi.spread, { ...at, from })))}
      >
        <Trans>Spread over the sections…</Trans>
      </button>
      {!plan && problem}
      {plan && (
        <AskDialog
          title={t`Spread over the sections`}
          confirm={<Trans>Place them</Trans>}
          problem={
            <>
              <PlanList plan={plan} />
              {problem}
            </>
          }
          onClose={() => setPlan(undefined)}
          onConfirm={(close) =>
            attempt(async () => {
              await spread({ ...at, from, expected: plan.digest });
              close();
              toast({ kind: 'success', title: t`Placed.` });
              onDone();
            })
          }
        >
          <Trans>Girls, boys and numbers are made as even as the seats allow. Nobody who has a section moves.</Trans>
        </AskDialog>
      )}
    </>
  );
}

function PlanList({ plan: { sections, left } }: { plan: Plan }) {
  const { t } = useLingui();
  return (
    <ul className="plan">
      {sections.map(({ name, girls, boys, added }) => (
        <li key={name}>
          <strong>{name}</strong>{' '}
          <span className="soft">
            <Plural value={girls} one="# girl" other="# girls" />, <Plural value={boys} one="# boy" other="# boys" />
          </span>
          <br />
          {added.length > 0 ? t`New: ${added.join(', ')}` : t`Nobody new`}
        </li>
      ))}
      {left.length > 0 && (
        <li className="seat-full">
          <Trans>No seat is left for: {left.join(', ')}</Trans>
        </li>
      )}
    </ul>
  );
}
