import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import { flushSync } from 'react-dom';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { ChoiceRow } from '#kit/browser/form/choices.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { focusOn } from '#kit/browser/form/ErrorSummary.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm, type Values } from '#kit/browser/form/form-context.ts';
import { ErrorText } from '#kit/browser/form/question.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { Unsaved } from '#kit/browser/ui/unsaved.tsx';
import { showMoney } from '#kit/contract/money.ts';
import { riderApi } from '../contract/rider.ts';
import { rideApi, type StopChanges, stopChanges } from '../contract/stop-change.ts';
import { isWholeDay } from './days.ts';
import { emptyRide, RideFields, type TypedRide } from './RideFields.tsx';
import { RiderChoice } from './RiderChoice.tsx';

const StopChangeForm = lazy(async () => ({ default: (await import('./StopChangeForm.tsx')).StopChangeForm }));

interface TypedRider extends TypedRide {
  key: number;
  studentId: string;
  staffId: string;
  /** Of a student who was chosen before. */
  name?: string;
  /** The name of the rider who is chosen here. */
  chosen?: string;
  fee: string;
}

const emptyRider = (key: number): TypedRider => ({ key, studentId: '', staffId: '', ...emptyRide, fee: 'By stop' });

const riderOf = ({ id, name }: { id: number; name: string }, place: number): TypedRider => ({
  ...emptyRider(place),
  studentId: String(id),
  name,
});

interface Props {
  /** Those who are assigned; one rider to choose by default. */
  students?: readonly { id: number; name: string }[];
  onClose: () => void;
}

/** Gives one or more riders their seats from a day on, after a preview with what each pays. */
export function AssignForm({ students, onClose }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(riderApi.assign);
  const [changing, setChanging] = useState<{ changes: StopChanges; rider: { id: string; name: string } }>();
  return (
    <SideDialog title={t`Assign riders`} onClose={onClose}>
      {(close) => (
        <>
          <ApiForm
            endpoint={riderApi.assign}
            label={t`Assign riders`}
            initial={{
              effectiveFrom: today(),
              billedFrom: '',
              reason: '',
              riders: students?.map(riderOf) ?? [emptyRider(0)],
            }}
            onDone={(answer, input) => preview.take(input, answer)}
            buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />}
          >
            <DateField name="effectiveFrom" />
            <DateField name="billedFrom" hint={<Trans>Leave empty for the same day.</Trans>} />
            <Riders
              onChangeOf={({ studentId, staffId, name, chosen }) =>
                setChanging({
                  changes: stopChanges[staffId ? 'Staff' : 'Student'],
                  rider: { id: staffId || studentId, name: name ?? chosen ?? '' },
                })
              }
            />
            <TextField name="reason" hint={<Trans>Only where another child waits for the seat.</Trans>} />
          </ApiForm>
          {changing && (
            <Suspense fallback={null}>
              <StopChangeForm {...changing} onClose={() => setChanging(undefined)} />
            </Suspense>
          )}
          {preview.shown && <Unsaved />}
          <PreviewDialog
            preview={preview}
            title={t`Assign these riders?`}
            confirm={<Trans>Assign</Trans>}
            details={
              <ul>
                {preview.shown?.answer.rows.map(({ name, pickup, drop, amount, ofYear, isAsked }) => (
                  <li key={name}>
                    <strong>{name}</strong> {[...new Set([pickup, drop].filter(Boolean))].join(' → ')},{' '}
                    <Trans>{showMoney(amount)} a month</Trans>
                    {ofYear !== null && ofYear !== 0 && (
                      <>
                        , <Trans>{showMoney(ofYear)} in fees of the year</Trans>
                      </>
                    )}
                    {isAsked && (
                      <>
                        , <Trans>free once a second person approves</Trans>
                      </>
                    )}
                  </li>
                ))}
              </ul>
            }
            onApplied={({ rows }) => {
              close();
              const count = rows.length;
              toast({
                kind: 'success',
                title: plural(count, { one: '# rider assigned.', other: '# riders assigned.' }),
              });
            }}
          >
            <Plural
              value={preview.shown?.answer.rows.length ?? 0}
              one="# rider gets a seat:"
              other="# riders get a seat:"
            />
          </PreviewDialog>
        </>
      )}
    </SideDialog>
  );
}

interface SeatedProps {
  rider: { studentId: string; staffId: string };
  day: string;
  onChange: () => void;
}

/** A rider who has a seat on the day already gets another one by a stop change. */
function Seated({ rider, day, onChange }: SeatedProps) {
  const { data } = useRead(rideApi.ride, {
    studentId: rider.studentId || null,
    staffId: rider.staffId || null,
    day,
    pickupStopId: null,
    dropStopId: null,
  });
  const words = data?.ride?.words;
  if (!words) return null;
  return (
    <Notice as="div">
      <p>
        <Trans>Has a seat already: {words}</Trans>
      </p>
      <Row mt={8}>
        <Button onClick={onChange}>
          <Trans>Ask for a stop change</Trans>
        </Button>
      </Row>
    </Notice>
  );
}

function Riders({ onChangeOf }: { onChangeOf: (rider: TypedRider) => void }) {
  const { t } = useLingui();
  const { values, change, errors } = useApiForm();
  const riders = values.riders as TypedRider[];
  const [last, setLast] = useState(riders.length);
  const set = (place: number, over: Partial<TypedRider>) =>
    change(
      'riders',
      riders.map((rider, index) => (index === place ? { ...rider, ...over } : rider)),
    );
  const add = () => {
    // The next child of a stop often gets on there too.
    const { pickupStopId, pickupTripId, dropStopId, dropTripId, fee } = riders.at(-1) ?? emptyRider(0);
    const ride = { pickupStopId, pickupTripId, dropStopId, dropTripId, fee };
    flushSync(() => {
      setLast(last + 1);
      change('riders', [...riders, { ...emptyRider(last + 1), ...ride }]);
    });
    focusOn(`riders.${riders.length}.studentId`);
  };
  /** Enter in a stop or trip goes to the next rider, whose name or stop is next. */
  const goOn = (place: number) => {
    const next = riders[place + 1];
    if (next) focusOn(`riders.${place + 1}.${next.name ? 'pickupStopId' : 'studentId'}`);
    else if (riders[place]?.name === undefined) add();
  };
  return (
    <>
      {riders.map((rider, place) => {
        const number = place + 1;
        const at = `riders.${place}`;
        return (
          <fieldset
            key={rider.key}
            className="question"
            data-group={rider.name ?? rider.chosen ?? t`Rider ${number}`}
            onKeyDown={(event) => {
              if (
                event.key !== 'Enter' ||
                event.ctrlKey ||
                event.metaKey ||
                !(event.target instanceof HTMLSelectElement)
              )
                return;
              event.preventDefault();
              goOn(place);
            }}
          >
            <legend>
              <Trans>Rider {number}</Trans>
            </legend>
            <RiderChoice
              id={at}
              values={rider}
              error={errors[`${at}.studentId`] ?? errors[`${at}.staffId`]}
              onChange={(over) => set(place, { ...over, fee: over.staffId ? 'Payroll' : 'By stop' })}
            />
            {(rider.studentId || rider.staffId) && isWholeDay(String((values as Values).effectiveFrom)) && (
              <Seated rider={rider} day={String((values as Values).effectiveFrom)} onChange={() => onChangeOf(rider)} />
            )}
            <RideFields
              id={at}
              ride={rider}
              day={String((values as Values).effectiveFrom)}
              rider={rider}
              errors={errors}
              onChange={(over) => set(place, over)}
            />
            <ErrorText id={`${at}-fee`} error={errors[`${at}.fee`]} />
            <ChoiceRow
              type="checkbox"
              id={`${at}.fee`}
              label={t`Free`}
              checked={rider.fee === 'Free'}
              onChange={(isTicked) => set(place, { fee: isTicked ? 'Free' : rider.staffId ? 'Payroll' : 'By stop' })}
            />
            {riders.length > 1 && (
              <Button
                kind="quiet"
                aria-label={t`Remove rider ${number}`}
                onClick={() =>
                  change(
                    'riders',
                    riders.filter(({ key }) => key !== rider.key),
                  )
                }
              >
                <Trans>Remove</Trans>
              </Button>
            )}
          </fieldset>
        );
      })}
      <Row mb={16}>
        <Button onClick={add}>
          <Trans>Add another rider</Trans>
        </Button>
      </Row>
    </>
  );
}
