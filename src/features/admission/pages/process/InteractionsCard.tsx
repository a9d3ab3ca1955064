import { Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { CardButtons, RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import type { ProcessRecord } from '../../contract/process.ts';
import { recommendations, slotApi } from '../../contract/slot.ts';
import { PlanSlots } from './PlanSlots.tsx';

const nothing = () => undefined;

/** The interactions of a child: when, whether it came, and what each assessor found. */
export function InteractionsCard({ record: { id, may: mayDo, next, interactions } }: { record: ProcessRecord }) {
  const { t } = useLingui();
  const attend = useAction(slotApi.attend);
  const cancel = useAction(slotApi.cancel);
  const plansHere = mayDo.plan && next !== 'plan';
  if (interactions.length === 0 && !plansHere) return null;
  return (
    <RecordCard title={<Trans>Interactions</Trans>}>
      {interactions.map(
        ({ id: interactionId, kind, startsAt, place, status, assessors, outcomes, hidden, may, own }) => (
          <div key={interactionId}>
            <p>
              <strong>{translateOption(kind)}</strong> {showMoment(startsAt)} · {place} · {assessors.join(', ')} ·{' '}
              {translateOption(status)}
            </p>
            {outcomes.map(({ by, recommendation, score, ofScore, note }) => (
              <p key={by}>
                {by}:{' '}
                {[translateOption(recommendation), score !== null && `${score}/${ofScore}`, note]
                  .filter(Boolean)
                  .join(' · ')}
              </p>
            ))}
            {hidden > 0 && (
              <p className="soft">
                <Trans>Outcomes of others are shown once yours is stored: {hidden}</Trans>
              </p>
            )}
            {(may.attend || may.write || may.cancel) && (
              <CardButtons>
                {may.attend && (
                  <>
                    {status !== 'Came' && (
                      <Button isBusy={attend.isBusy} onClick={() => attend.run({ id: interactionId, status: 'Came' })}>
                        <Trans>Came</Trans>
                      </Button>
                    )}
                    {status !== 'No-show' && (
                      <Button
                        isBusy={attend.isBusy}
                        onClick={() => attend.run({ id: interactionId, status: 'No-show' })}
                      >
                        <Trans>Did not come</Trans>
                      </Button>
                    )}
                  </>
                )}
                {may.cancel && (
                  <Button isBusy={cancel.isBusy} onClick={() => cancel.run({ id: interactionId })}>
                    <Trans>Cancel and tell the family</Trans>
                  </Button>
                )}
                {may.write && (
                  <FormOpener kind="plain" title={t`Your outcome`} label={<Trans>Your outcome…</Trans>}>
                    {(onClose) => (
                      <RecordForm
                        title={t`Your outcome`}
                        endpoint={slotApi.outcome}
                        initial={{
                          recommendation: own?.recommendation ?? '',
                          score: own?.score?.toString() ?? '',
                          ofScore: own?.ofScore?.toString() ?? '',
                          note: own?.note ?? '',
                        }}
                        hiddenValues={{ id: interactionId }}
                        onClose={onClose}
                      >
                        <SelectField name="recommendation" options={recommendations} />
                        {kind === 'Assessment' && (
                          <>
                            <TextField name="score" width="short" inputMode="numeric" />
                            <TextField name="ofScore" width="short" inputMode="numeric" />
                          </>
                        )}
                        <TextField name="note" long />
                      </RecordForm>
                    )}
                  </FormOpener>
                )}
              </CardButtons>
            )}
          </div>
        ),
      )}
      {plansHere && <PlanSlots shortcut="p" selection={{ ids: [id], isAll: false, query: {} }} onDone={nothing} />}
      {attend.problem}
      {cancel.problem}
    </RecordCard>
  );
}
