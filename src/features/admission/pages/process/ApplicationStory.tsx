import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { FormOpener } from '#kit/browser/form/RecordForm.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Grid, List, Row, Text } from '#kit/browser/ui/Layout.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { PersonRow, PersonRows } from '#kit/browser/ui/PersonRow.tsx';
import { type Mark, Story, Ticked } from '#kit/browser/ui/Story.tsx';
import { showTime, today } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import { showRupees } from '#kit/contract/money.ts';
import type { ProcessRecord } from '../../contract/process.ts';
import { FollowUpForm } from '../FollowUpForm.tsx';
import styles from './ApplicationStory.module.css';
import { DecisionLines } from './DecisionLines.tsx';
import { FeeLines } from './FeeLines.tsx';
import { isToday, useMomentWords } from './StageNow.tsx';

interface Props {
  record: ProcessRecord;
}
type Interaction = ProcessRecord['interactions'][number];

interface StoryProps extends Props {
  /** Opens the reader's result of an interaction, to enter or to change it. */
  onResult: (interaction: Interaction) => void;
}

/** What the application is made of, from the form to the fee. */
export function ApplicationStory({ record, onResult }: StoryProps) {
  const { t } = useLingui();
  const isWhole = record.quota !== null;
  return (
    <RecordCard title={<Trans>Overview</Trans>}>
      <Story label={t`Overview`}>
        <FormLine record={record} />
        {isWhole && <PapersLine record={record} />}
        <InteractionLine record={record} onResult={onResult} />
        {isWhole && <SeatLine record={record} />}
        {isWhole && <FeeLine record={record} />}
      </Story>
    </RecordCard>
  );
}

function FormLine({ record: { id, may, receivedOn, verifiedOn, grade, program, branch } }: Props) {
  const { t } = useLingui();
  const day = (value: string) => showDate(value, today());
  return (
    <Ticked
      mark="done"
      topic={<Trans>Form</Trans>}
      act={
        may.readForm && (
          <PageLink to="/school-erp/admission/review-list/$inquiryID" params={{ inquiryID: String(id) }}>
            <Trans>Form</Trans>
          </PageLink>
        )
      }
    >
      <p>
        {[receivedOn && t`Received ${day(receivedOn)}`, verifiedOn && t`accepted ${day(verifiedOn)}`]
          .filter(Boolean)
          .join(', ') || t`Accepted`}
      </p>
      <Text tone="soft" size={13}>
        {[grade, program, branch].join(' · ')}
      </Text>
    </Ticked>
  );
}

function PapersLine({ record: { id, papers } }: Props) {
  const { t } = useLingui();
  const { all, verified, missing } = papers;
  const isWhole = missing.length === 0 && verified === all;
  const left = missing.map(({ name, dueOn }) =>
    dueOn ? t`${translateOption(name)}, due ${showDate(dueOn, today())}` : translateOption(name),
  );
  return (
    <Ticked
      mark={isWhole ? 'done' : 'due'}
      topic={<Trans>Documents</Trans>}
      act={
        !isWhole && (
          <PageLink to="/school-erp/admission/inquiry/$inquiryID" params={{ inquiryID: String(id) }}>
            <Trans>Inquiry</Trans>
          </PageLink>
        )
      }
    >
      <p>
        <Trans>
          {verified} of {all + missing.length} verified
        </Trans>
      </p>
      {left.length > 0 && (
        <Text tone="warn" size={13}>
          {left.join(' · ')}
        </Text>
      )}
    </Ticked>
  );
}

const markOf = ({ next, interactions }: ProcessRecord): Mark => {
  if (next === 'meet' || next === 'attend' || next === 'result' || next === 'plan') return 'now';
  return interactions.some(({ status }) => status === 'Came') ? 'done' : 'coming';
};

function InteractionLine({ record, onResult }: StoryProps) {
  const { interactions, seat, interactionWaivedReason } = record;
  // The line of stages counts what is decided without one as skipped.
  const isOver = !['plan', 'meet', 'attend', 'result'].includes(record.next);
  return (
    <Ticked mark={interactionWaivedReason || isOver ? 'done' : markOf(record)} topic={<Trans>Interaction</Trans>}>
      {interactions.map((interaction) => (
        <InteractionPart key={interaction.id} interaction={interaction} onResult={() => onResult(interaction)} />
      ))}
      {interactionWaivedReason && (
        <p>
          <Trans>Skipped: {interactionWaivedReason}</Trans>
        </p>
      )}
      {interactions.length === 0 && !interactionWaivedReason && (
        <p>
          {seat && seat.interaction !== 'None' ? (
            isOver ? (
              <Trans>Skipped</Trans>
            ) : (
              <Trans>Not planned yet</Trans>
            )
          ) : (
            <Trans>Not needed for this seat</Trans>
          )}
        </p>
      )}
    </Ticked>
  );
}

/** The words of an interaction's state; a planned one has none. */
function useAttendanceWords() {
  const { t } = useLingui();
  const words: Record<string, string> = { Came: t`Attended`, 'No-show': t`Absent`, Cancelled: t`Cancelled` };
  return (status: string) => words[status] ?? '';
}

function InteractionPart({ interaction, onResult }: { interaction: Interaction; onResult: () => void }) {
  const { t } = useLingui();
  const words = useMomentWords();
  const attendance = useAttendanceWords();
  const { kind, startsAt, endsAt, place, status, assessors, outcomes, hidden, may, own } = interaction;
  const isRead = outcomes.length > 0;
  const missing = assessors.filter((name) => !outcomes.some(({ by }) => by === name));
  return (
    <div className={styles.part}>
      <p>
        {[
          isToday(startsAt)
            ? t`Today, ${showTime(startsAt)} to ${showTime(endsAt)}`
            : t`${words(startsAt)} to ${showTime(endsAt)}`,
          place,
          kind !== 'Interaction' && translateOption(kind),
          attendance(status),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {!isRead && (
        <Text tone="soft" size={13}>
          {assessors.join(', ')}
        </Text>
      )}
      {isRead && (
        <Grid as="ul" className={styles.results}>
          {outcomes.map(({ by, recommendation, score, ofScore, note }) => (
            <li key={by}>
              <span>{by}</span>{' '}
              <strong>{score === null ? translateOption(recommendation) : t`${score} of ${ofScore}`}</strong>{' '}
              <span className="soft">
                {[score !== null && translateOption(recommendation), note].filter(Boolean).join(' · ')}
              </span>
            </li>
          ))}
          {status === 'Came' &&
            missing.map((name) => (
              <li key={name}>
                <span>{name}</span>{' '}
                <Text as="span" tone="warn">
                  <Trans>not in yet</Trans>
                </Text>
              </li>
            ))}
        </Grid>
      )}
      {hidden > 0 && (
        <Text tone="soft" size={13}>
          <Plural
            value={hidden}
            one="The result of another assessor is shown once yours is saved."
            other="The results of # others are shown once yours is saved."
          />
        </Text>
      )}
      {may.write && own && (
        <Button kind="quiet" edge="start" onClick={onResult}>
          <Trans>Change your result</Trans>
        </Button>
      )}
    </div>
  );
}

function SeatLine({ record }: Props) {
  const { seat, hasSeat, state, rank, offerExpiresOn } = record;
  const isTaken = state === 'Seat confirmed' || state === 'Admitted';
  return (
    <Ticked
      mark={isTaken ? 'done' : record.next === 'release' || record.next === 'decide' ? 'now' : 'coming'}
      topic={<Trans>Seat</Trans>}
      act={
        seat && (
          <PageLink to="/school-erp/admission/process-admission" search={{ show: 'seats' }}>
            <Trans>Seats</Trans>
          </PageLink>
        )
      }
    >
      {seat ? (
        <p>
          <Trans>
            {Math.max(seat.free, 0)} free of {seat.total} in {seat.grade}, {translateOption(seat.quota)}
          </Trans>
          {hasSeat && isTaken && <Trans>; this child has one</Trans>}
        </p>
      ) : (
        <p>
          <Trans>No seats are planned for this grade and quota.</Trans>
        </p>
      )}
      <Text tone="soft" size={13}>
        {rank !== null && <Trans>Place {rank} on the waiting list. </Trans>}
        {rank === null && seat && seat.waiting > 0 && (
          <Plural
            value={seat.waiting}
            one="# child is on the waiting list. "
            other="# children are on the waiting list. "
          />
        )}
        {offerExpiresOn && <Trans>Offer until {showDate(offerExpiresOn, today())}. </Trans>}
      </Text>
      <DecisionLines decisions={record.decisions} />
    </Ticked>
  );
}

function FeeLine({ record }: Props) {
  const { payments, due, seat, waiver } = record;
  const isPaid = payments.some(({ isReversed }) => !isReversed);
  const isWaived = waiver?.status === 'Approved';
  const isNow = record.next === 'pay' || record.next === 'accept';
  if (!seat && payments.length === 0 && !waiver) return null;
  return (
    <Ticked mark={isPaid || isWaived ? 'done' : isNow ? 'now' : 'coming'} topic={<Trans>Fee</Trans>}>
      {due > 0 && seat && (
        <p>
          <Trans>
            {showRupees(due)} within {seat.offerDays} days of the offer confirms the seat
          </Trans>
        </p>
      )}
      {due === 0 && !isPaid && !waiver && (
        <p>
          <Trans>No admission fee for this seat</Trans>
        </p>
      )}
      <FeeLines payments={payments} waiver={waiver} />
    </Ticked>
  );
}

/** Whom to call about the child. */
export function FamilyCard({ record: { family, sibling, student } }: Props) {
  const { t } = useLingui();
  const relations = { Father: t`father`, Mother: t`mother` };
  if (family.length === 0 && !sibling && !student) return null;
  return (
    <RecordCard title={<Trans>Family</Trans>}>
      <PersonRows>
        {family.map(({ relation, name, mobile }) => (
          <PersonRow
            key={relation}
            name={name || relations[relation]}
            relation={name && relations[relation]}
            mobile={mobile}
          />
        ))}
        {sibling && <PersonRow name={sibling} relation={t`brother or sister`} />}
      </PersonRows>
      {student && (
        <p>
          <PageLink to="/school-erp/student/student-list/$studentID" params={{ studentID: String(student.id) }}>
            <Trans>Student, GR {student.grNo}</Trans>
          </PageLink>
        </p>
      )}
    </RecordCard>
  );
}

/** What was said at the last calls and visits. */
export function NotesCard({ record: { id, notes, may, quota } }: Props) {
  const { t } = useLingui();
  if (quota === null) return null;
  return (
    <RecordCard
      title={<Trans>Notes</Trans>}
      isEmpty={notes.length === 0 && !may.note}
      actions={
        may.note && (
          <FormOpener title={t`Add note`} label={<Trans>Add note</Trans>}>
            {(onClose) => <FollowUpForm id={id} onClose={onClose} />}
          </FormOpener>
        )
      }
    >
      <List>
        {notes.map(({ id, on, note }) => (
          <Row as="li" gap={12} py={6} line="hair-above" breaks="anywhere" key={id}>
            <Text as="span" tone="soft" size={13} fixed className={styles.day}>
              {showDate(on, today())}
            </Text>
            <span>{note}</span>
          </Row>
        ))}
      </List>
    </RecordCard>
  );
}
