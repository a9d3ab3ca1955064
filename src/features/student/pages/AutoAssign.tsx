import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { FilterChoice } from '#kit/browser/list/FilterChoice.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { type ClassmateRule, sectionStudentApi } from '../contract/section-student.ts';
import type { GradeOfYear } from './grade-of-year.ts';

type Plan = OutputOf<typeof sectionStudentApi.autoAssign>;

/** Assigns students without a section to the free seats, after a preview. */
export function AutoAssign({ at, from, onDone }: { at: GradeOfYear; from: string; onDone: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(sectionStudentApi.autoAssign);
  const { input, answer: plan } = preview.shown ?? {};
  const classmates = input?.classmates ?? 'ignore';
  const show = (wanted: ClassmateRule) => preview.show({ ...at, from, classmates: wanted });
  return (
    <>
      <Button onClick={() => show('ignore')}>
        <Trans>Distribute into sections…</Trans>
      </Button>
      {!plan && preview.problem}
      {plan && (
        <PreviewDialog
          preview={preview}
          title={t`Distribute into sections`}
          confirm={<Trans>Assign</Trans>}
          details={
            <>
              {plan.hasPast && (
                <FilterChoice
                  label={t`Last year’s classmates`}
                  value={classmates}
                  onChange={(wanted) => show(wanted as ClassmateRule)}
                >
                  <option value="ignore">{t`No preference`}</option>
                  <option value="separate">{t`Separate`}</option>
                  <option value="keep">{t`Keep together`}</option>
                </FilterChoice>
              )}
              <PlanList plan={plan} />
            </>
          }
          onApplied={({ sections }) => {
            const assigned = sections.reduce((sum, { added }) => sum + added.length, 0);
            toast({ kind: 'success', title: t`Students assigned to sections: ${assigned}.` });
            onDone();
          }}
        >
          {classmates === 'keep' ? (
            <Trans>
              Last year’s classmates are kept together where seats allow. Students already assigned aren’t moved.
            </Trans>
          ) : (
            <Trans>
              Girls and boys are distributed evenly where seats allow. Students already assigned aren’t moved.
            </Trans>
          )}
        </PreviewDialog>
      )}
    </>
  );
}

function PlanList({ plan: { sections, unseated, skipped } }: { plan: Plan }) {
  const { t } = useLingui();
  return (
    <ul className="plan">
      {sections.map(({ name, girls, boys, added, lastSections }) => (
        <li key={name}>
          <strong>{name}</strong>{' '}
          <span className="soft">
            <Plural value={girls} one="# girl" other="# girls" />, <Plural value={boys} one="# boy" other="# boys" />
          </span>
          <br />
          {added.length > 0 ? t`New: ${added.join(', ')}` : t`No new students`}
          {lastSections.length > 0 && (
            <>
              <br />
              <span className="soft">{t`Last year: ${lastSections.map(({ name, count }) => `${count} × ${name}`).join('; ')}`}</span>
            </>
          )}
        </li>
      ))}
      {unseated.length > 0 && (
        <li className="seat-full">
          <Trans>No seats left for: {unseated.join(', ')}</Trans>
        </li>
      )}
      {skipped.map(({ name, why }) => (
        <li key={`${name} ${translate(why)}`}>
          <strong>{name}</strong> <Trans>Not assigned.</Trans> <span className="soft">{translate(why)}</span>
        </li>
      ))}
    </ul>
  );
}
