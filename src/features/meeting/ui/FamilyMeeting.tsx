import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useState } from 'react';
import '#features/family/ui/more-texts.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { get } from '#kit/browser/data/get.ts';
import { SlotPicker } from '#kit/browser/form/SlotPicker.tsx';
import { useLanguage } from '#kit/browser/language.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { showDay } from '#kit/contract/format.ts';
import { type FamilyMeeting, type FamilyTeacher, familyMeetingApi } from '../contract/family.ts';
import styles from './FamilyMeeting.module.css';

/** The teachers of each child at a meeting, with the family's times. */
export function Body({ meeting }: { meeting: FamilyMeeting }) {
  const language = useLanguage();
  const { mayBook } = meeting;
  const until = showDay(meeting.booksUntil, language);
  return (
    <>
      <p>
        {mayBook ? (
          <Trans>Choose a time with each teacher you want to meet, until {until}.</Trans>
        ) : (
          <Trans>Booking has ended. The school can still give you a time.</Trans>
        )}
      </p>
      <ul className={styles.teachers}>
        {meeting.teachers.map((teacher) => (
          <Teacher key={`${teacher.hostId} ${teacher.studentId}`} teacher={teacher} mayBook={mayBook} />
        ))}
      </ul>
    </>
  );
}

type Booked = FamilyTeacher['booked'];

function Teacher({ teacher, mayBook }: { teacher: FamilyTeacher; mayBook: boolean }) {
  const { t } = useLingui();
  const { hostId, studentId, child, isClassTeacher, subjects } = teacher;
  const [booked, setBooked] = useState<Booked>(teacher.booked);
  const [slots, setSlots] = useState<OutputOf<typeof familyMeetingApi.slots>>();
  const [chosen, setChosen] = useState<number>();
  const reading = useAttempt();
  const free = useAction(familyMeetingApi.free);
  const read = async () => {
    setChosen(undefined);
    setSlots(await reading.attempt(() => get(familyMeetingApi.slots, { id: hostId })));
  };
  // Another family took the time: read the free times again and keep the refusal.
  const book = useAction(familyMeetingApi.book, { onRefused: () => void read() });
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (chosen === undefined) return;
    const done = await book.run({ id: chosen, studentId });
    if (!done) return;
    setBooked({ slotId: chosen, ...done });
    setSlots(undefined);
  };
  return (
    <li>
      <b>{teacher.teacher}</b>
      <small>{[child, isClassTeacher && t`Class teacher`, subjects].filter(Boolean).join(' · ')}</small>
      <p role="status">
        {booked && (
          <>
            <strong>
              {booked.from}–{booked.to}
            </strong>
            {booked.place && ` · ${booked.place}`}
          </>
        )}
      </p>
      {booked?.mayFree && (
        <button
          type="button"
          aria-disabled={free.isBusy}
          aria-label={t`Give up ${booked.from} with ${teacher.teacher}`}
          onClick={async () => {
            if (await free.run({ id: booked.slotId })) setBooked(null);
          }}
        >
          <Trans>Give up</Trans>
        </button>
      )}
      {!booked && mayBook && !slots && (
        <button
          type="button"
          aria-disabled={reading.isBusy}
          aria-label={t`Choose a time with ${teacher.teacher}`}
          onClick={() => void read()}
        >
          <Trans>Choose a time</Trans>
        </button>
      )}
      {slots && slots.length === 0 && (
        <p>
          <Trans>All times are taken. Call the school.</Trans>
        </p>
      )}
      {slots && slots.length > 0 && (
        <form onSubmit={(event) => void send(event)}>
          <SlotPicker
            name={`slot-${hostId}-${studentId}`}
            legend={t`Time with ${teacher.teacher}`}
            slots={slots}
            chosen={chosen}
            onChoose={setChosen}
          />
          <button type="submit" className={styles.main} aria-disabled={book.isBusy}>
            <Trans>Book this time</Trans>
          </button>
        </form>
      )}
      {book.problem}
      {free.problem}
      {reading.problem}
    </li>
  );
}
