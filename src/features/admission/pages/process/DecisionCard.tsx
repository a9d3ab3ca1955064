import { Trans, useLingui } from '@lingui/react/macro';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { CardButtons, RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Meter } from '#kit/browser/ui/Meter.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import { type ProcessRecord, processApi } from '../../contract/process.ts';

interface Props {
  record: ProcessRecord;
}

/** The seat row of the application, and what was decided about it. */
export function DecisionCard({ record }: Props) {
  const { t } = useLingui();
  const { id, version, may, seat, hasSeat, rank, offerExpiresOn, decisions, interactionWaivedReason } = record;
  const kindWords = { Offer: t`Offer`, Waitlist: t`Waiting list`, Reject: t`Not offered` };
  const given = seat ? seat.total - seat.reserved - seat.free : 0;
  const seats = seat ? seat.total - seat.reserved : 0;
  return (
    <RecordCard title={<Trans>Seat and decision</Trans>}>
      {seat ? (
        <Facts
          facts={[
            {
              label: hasSeat ? t`Seat from` : t`Proposed seat`,
              value: (
                <Meter label={t`Seats given`} value={given} of={seats}>
                  <Trans>
                    {translateOption(seat.quota)}, {seat.grade}: {given} of {seats} given
                  </Trans>
                </Meter>
              ),
            },
            { label: t`Before an offer`, value: seat.interaction !== 'None' && translateOption(seat.interaction) },
            { label: t`Interaction not needed`, value: interactionWaivedReason },
            { label: t`Place in the waiting list`, value: rank !== null && String(rank) },
            { label: t`Last day of the offer`, value: offerExpiresOn && showDate(offerExpiresOn) },
          ]}
        />
      ) : (
        <p className="soft">
          <Trans>No seats are planned for this grade and quota.</Trans>
        </p>
      )}
      {decisions.length > 0 && (
        <ol>
          {decisions.map(({ id, kind, quota, by, at, releasedAt, isCancelled, conditions, reason, remark }) => (
            <li key={id}>
              {[kindWords[kind], quota && translateOption(quota), reason, remark, conditions]
                .filter(Boolean)
                .join(' · ')}{' '}
              <span className="soft">
                {isCancelled ? (
                  <Trans>Undone. Decided by {by}.</Trans>
                ) : releasedAt ? (
                  <Trans>
                    Decided by {by}, released on {showMoment(releasedAt)}
                  </Trans>
                ) : (
                  <Trans>
                    Held since {showMoment(at)}, decided by {by}
                  </Trans>
                )}
              </span>
            </li>
          ))}
        </ol>
      )}
      <CardButtons>
        {may.move && record.otherSeats.length > 0 && (
          <FormOpener kind="plain" title={t`Move to another seat row`} label={<Trans>Move…</Trans>}>
            {(onClose) => (
              <RecordForm
                title={t`Move to another seat row`}
                endpoint={processApi.move}
                initial={{ seatId: '', ageReason: '' }}
                hiddenValues={{ id, version }}
                words={<Trans>Move</Trans>}
                saved={t`Moved.`}
                onClose={onClose}
              >
                <SelectField
                  name="seatId"
                  options={record.otherSeats.map(({ id, name, free }) => ({
                    value: String(id),
                    label: t`${name} (${free} free)`,
                  }))}
                />
                <TextField name="ageReason" hint={<Trans>Needed where the grade doesn’t take this age.</Trans>} />
              </RecordForm>
            )}
          </FormOpener>
        )}
        {may.extend && (
          <FormOpener kind="plain" title={t`Give more days to answer`} label={<Trans>More days…</Trans>}>
            {(onClose) => (
              <RecordForm
                title={t`Give more days to answer`}
                endpoint={processApi.extend}
                initial={{ until: '' }}
                hiddenValues={{ id, version }}
                onClose={onClose}
              >
                <DateField name="until" toward="future" />
              </RecordForm>
            )}
          </FormOpener>
        )}
        {may.notNeeded && (
          <FormOpener kind="plain" title={t`Interaction not needed`} label={<Trans>Interaction not needed…</Trans>}>
            {(onClose) => (
              <RecordForm
                title={t`Offer without an interaction`}
                endpoint={processApi.notNeeded}
                initial={{ reason: '' }}
                hiddenValues={{ id, version }}
                onClose={onClose}
              >
                <TextField name="reason" />
              </RecordForm>
            )}
          </FormOpener>
        )}
      </CardButtons>
    </RecordCard>
  );
}
