import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { RadioField } from '#kit/browser/form/choices.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { ActRow, ActRows } from '#kit/browser/ui/ActRow.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { cameWords, type MeetingHost, type MeetingSlot, meetingApi, meetingStudents } from '../contract/meeting.ts';

interface Props {
  host: MeetingHost;
  mayBook: boolean;
  onClose: () => void;
}

/** The times of a teacher: who comes, and who came. */
export function Slots({ host, mayBook, onClose }: Props) {
  const { t } = useLingui();
  const read = useRead(meetingApi.slots, { id: host.id });
  const [booked, setBooked] = useState<MeetingSlot>();
  const [met, setMet] = useState<MeetingSlot>();
  const free = useAction(meetingApi.free);
  return (
    <>
      <SideDialog
        title={host.teacher}
        about={[host.subjects, host.place].filter(Boolean).join(' · ')}
        onClose={onClose}
      >
        {() => (
          <QueryBoundary query={read}>
            {({ rows }) => (
              <>
                {free.problem}
                <ActRows>
                  {rows.map((slot) => (
                    <ActRow
                      key={slot.id}
                      title={`${slot.from}–${slot.to}`}
                      about={slot.isClosed ? <Trans>cancelled</Trans> : slot.came && translateOption(slot.came)}
                      detail={
                        slot.studentId === null
                          ? t`Free`
                          : [slot.child, slot.section, slot.guardian, slot.note].filter(Boolean).join(' · ')
                      }
                    >
                      {slot.studentId === null && mayBook && !slot.isClosed && (
                        <Button aria-label={t`Book ${slot.from}`} onClick={() => setBooked(slot)}>
                          <Trans>Book</Trans>
                        </Button>
                      )}
                      {slot.studentId !== null && !slot.isClosed && (
                        <>
                          {slot.isBegun && (
                            <Button aria-label={t`Note who came at ${slot.from}`} onClick={() => setMet(slot)}>
                              <Trans>Who came</Trans>
                            </Button>
                          )}
                          {mayBook && !slot.isBegun && (
                            <Button
                              kind="quiet"
                              aria-label={t`Free ${slot.from}`}
                              isBusy={free.isBusy}
                              onClick={() => void free.run({ id: slot.id })}
                            >
                              <Trans>Free</Trans>
                            </Button>
                          )}
                        </>
                      )}
                    </ActRow>
                  ))}
                </ActRows>
              </>
            )}
          </QueryBoundary>
        )}
      </SideDialog>
      {booked && (
        <RecordForm
          title={t`Book ${booked.from} with ${host.teacher}`}
          about={t`For a family that does not book on its page.`}
          endpoint={meetingApi.book}
          initial={{ studentId: '' }}
          hiddenValues={{ id: booked.id }}
          words={<Trans>Book</Trans>}
          onClose={() => setBooked(undefined)}
        >
          <OptionField name="studentId" options={meetingStudents} />
        </RecordForm>
      )}
      {met && (
        <RecordForm
          title={t`${met.from}: ${met.child}`}
          endpoint={meetingApi.came}
          initial={{ came: met.came || 'Came', note: met.note }}
          hiddenValues={{ id: met.id }}
          onClose={() => setMet(undefined)}
        >
          <RadioField name="came" options={cameWords} />
          <TextField name="note" long />
        </RecordForm>
      )}
    </>
  );
}
