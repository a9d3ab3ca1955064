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

const countOf = ({ sections }: Plan) => sections.reduce((sum, { added }) => sum + added.length, 0);

/** Assigns those without a section to the free seats, after showing where each would go. */
export function AutoAssign({ at, from, onDone }: { at: GradeOfYear; from: string; onDone: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(sectionStudentApi.autoAssign);
  const { input, answer: plan } = preview.shown ?? {};
  const classmates = input?.classmates ?? 'ignore';
  const look = (wanted: ClassmateRule) => preview.show({ ...at, from, classmates: wanted });
  return (
    <>
      <Button onClick={() => look('ignore')}>
        <Trans>Spread over the sections…</Trans>
      </Button>
      {!plan && preview.problem}
      {plan && (
        <PreviewDialog
          preview={preview}
          title={t`Spread over the sections`}
          confirm={<Trans>Place them</Trans>}
          details={
            <>
              {plan.hasPast && (
                <FilterChoice
                  label={t`Those of one section of last year`}
                  value={classmates}
                  onChange={(wanted) => look(wanted as ClassmateRule)}
                >
                  <option value="ignore">{t`wherever there are fewest`}</option>
                  <option value="separate">{t`are spread evenly`}</option>
                  <option value="keep">{t`stay together`}</option>
                </FilterChoice>
              )}
              <PlanList plan={plan} />
            </>
          }
          onApplied={(applied) => {
            toast({ kind: 'success', title: t`Placed: ${countOf(applied)}.` });
            onDone();
          }}
        >
          {classmates === 'keep' ? (
            <Trans>
              Last year’s sections stay together as far as the seats allow; girls and boys come behind that. Nobody who
              has a section moves.
            </Trans>
          ) : (
            <Trans>Girls, boys and numbers are made as even as the seats allow. Nobody who has a section moves.</Trans>
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
          {added.length > 0 ? t`New: ${added.join(', ')}` : t`Nobody new`}
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
          <Trans>No seat is left for: {unseated.join(', ')}</Trans>
        </li>
      )}
      {skipped.map(({ name, why }) => (
        <li key={`${name} ${why}`}>
          <strong>{name}</strong> <Trans>is not placed by this.</Trans> <span className="soft">{translate(why)}</span>
        </li>
      ))}
    </ul>
  );
}
