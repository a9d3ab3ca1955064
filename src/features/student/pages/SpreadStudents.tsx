import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { call } from '#kit/browser/data/call.ts';
import { useSend } from '#kit/browser/data/read.ts';
import { FilterChoice } from '#kit/browser/list/FilterChoice.tsx';
import { said } from '#kit/browser/text.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { type SpreadMix, sectionStudentApi } from '../contract/section-student.ts';
import type { GradeOfYear } from './grade-of-year.ts';

type Plan = OutputOf<typeof sectionStudentApi.spread>;

/** Spreads those without a section over the free seats, after showing where each would go. */
export function SpreadStudents({ at, from, onDone }: { at: GradeOfYear; from: string; onDone: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const spread = useSend(sectionStudentApi.spread);
  const { attempt, problem } = useAttempt();
  const [plan, setPlan] = useState<Plan>();
  const [mix, setMix] = useState<SpreadMix>('Any');
  const look = (wanted: SpreadMix) =>
    attempt(async () => {
      setPlan(await call(sectionStudentApi.spread, { ...at, from, mix: wanted }));
      setMix(wanted);
    });
  const count = plan?.sections.reduce((sum, { added }) => sum + added.length, 0) ?? 0;
  return (
    <>
      <button type="button" className="button" onClick={() => look('Any')}>
        <Trans>Spread over the sections…</Trans>
      </button>
      {!plan && problem}
      {plan && (
        <AskDialog
          title={t`Spread over the sections`}
          confirm={<Trans>Place them</Trans>}
          problem={
            <>
              {plan.hasPast && (
                <FilterChoice
                  label={t`Those of one section of last year`}
                  value={mix}
                  onChange={(wanted) => look(wanted as SpreadMix)}
                >
                  <option value="Any">{t`wherever there are fewest`}</option>
                  <option value="Apart">{t`are spread evenly`}</option>
                  <option value="Together">{t`stay together`}</option>
                </FilterChoice>
              )}
              <PlanList plan={plan} />
              {problem}
            </>
          }
          onClose={() => setPlan(undefined)}
          onConfirm={(close) =>
            attempt(async () => {
              await spread({ ...at, from, mix, expected: plan.digest });
              close();
              toast({ kind: 'success', title: t`Placed: ${count}.` });
              onDone();
            })
          }
        >
          {mix === 'Together' ? (
            <Trans>
              Last year’s sections stay together as far as the seats allow; girls and boys come behind that. Nobody who
              has a section moves.
            </Trans>
          ) : (
            <Trans>Girls, boys and numbers are made as even as the seats allow. Nobody who has a section moves.</Trans>
          )}
        </AskDialog>
      )}
    </>
  );
}

function PlanList({ plan: { sections, left, apart } }: { plan: Plan }) {
  const { t } = useLingui();
  return (
    <ul className="plan">
      {sections.map(({ name, girls, boys, added, mix }) => (
        <li key={name}>
          <strong>{name}</strong>{' '}
          <span className="soft">
            <Plural value={girls} one="# girl" other="# girls" />, <Plural value={boys} one="# boy" other="# boys" />
          </span>
          <br />
          {added.length > 0 ? t`New: ${added.join(', ')}` : t`Nobody new`}
          {mix.length > 0 && (
            <>
              <br />
              <span className="soft">{t`Last year: ${mix.map(({ name, count }) => `${count} × ${name}`).join('; ')}`}</span>
            </>
          )}
        </li>
      ))}
      {left.length > 0 && (
        <li className="seat-full">
          <Trans>No seat is left for: {left.join(', ')}</Trans>
        </li>
      )}
      {apart.map(({ name, why }) => (
        <li key={`${name} ${why}`}>
          <strong>{name}</strong> <Trans>is not placed by this.</Trans> <span className="soft">{said(why)}</span>
        </li>
      ))}
    </ul>
  );
}
