import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { RadioField } from '#kit/browser/form/choices.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { RecordPage } from '#kit/browser/record/RecordPage.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Alert } from '#kit/browser/ui/Chip.tsx';
import { HistoryButton } from '#kit/browser/ui/HistoryButton.tsx';
import { HistoryDialog } from '#kit/browser/ui/HistoryDialog.tsx';
import { Text } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { noteApi, noteList, type ShownNote } from '../contract/note.ts';
import { observationPages } from '../contract/pages.ts';
import { reaches } from '../contract/words.ts';
import { AttachedCard } from './AttachedCard.tsx';
import { ChangeNote } from './ChangeNote.tsx';
import { FollowUps } from './FollowUps.tsx';
import { polarityKinds } from './kinds.ts';
import { ShownRatings } from './ShownRatings.tsx';

const NoteForm = lazy(async () => ({ default: (await import('./NoteForm.tsx')).NoteForm }));

type Revealed = OutputOf<typeof noteApi.reveal>;

/** /school-erp/student-observation/student-observation-list/{noteID}: a note with its addenda and follow-ups. */
export function NotePage() {
  const { noteID } = useParams({ strict: false }) as { noteID: string };
  const { t } = useLingui();
  const note = useRead(noteApi.read, { id: noteID });
  return (
    <>
      {note.error && !note.data && <PageHead title={t`Observation`} />}
      <QueryBoundary query={note}>{(found) => <Note key={found.id} note={found} />}</QueryBoundary>
    </>
  );
}

function Note({ note }: { note: ShownNote }) {
  const { t } = useLingui();
  const [revealed, setRevealed] = useState<Revealed>();
  const [isHistory, setHistory] = useState(false);
  const [isCopying, setCopying] = useState(false);
  const { id, student } = note;
  return (
    <>
      <RecordPage
        title={student}
        of={{
          list: noteList,
          id,
          page: '/school-erp/student-observation/student-observation-list',
          title: translate(observationPages[0].title),
        }}
        about={[note.type, `${showDate(note.day)}, ${note.time}`, note.section].join(' · ')}
        chips={
          <>
            <Status kind={polarityKinds[note.polarity]}>{translateOption(note.polarity)}</Status>
            {note.reach === 'Restricted' && (
              <Alert>
                <Trans>Restricted</Trans>
              </Alert>
            )}
          </>
        }
        actions={
          <>
            <HistoryButton name={student} onOpen={() => setHistory(true)} />
            {note.may.change && <ChangeNote note={note} />}
            {note.may.copy && (
              <Button onClick={() => setCopying(true)}>
                <Trans>Copy as new</Trans>
              </Button>
            )}
          </>
        }
        parts={[
          {
            key: 'note',
            title: t`Observation`,
            cards: [
              <TextCard key="text" note={note} revealed={revealed} onReveal={setRevealed} />,
              note.rubric && <ShownRatings key="ratings" rubric={note.rubric} ratings={note.ratings} />,
              note.skills.length > 0 && (
                <RecordCard key="skills" title={<Trans>Skills</Trans>}>
                  <Facts facts={note.skills.map(({ skill, level }) => ({ label: skill, value: level }))} />
                </RecordCard>
              ),
              <FollowUps key="follow-ups" note={note} revealed={revealed} />,
              <AttachedCard key="attached" id={id} />,
              <Readers key="readers" note={note} />,
            ],
          },
        ]}
      />
      {isCopying && (
        <Suspense fallback={null}>
          <NoteForm
            students={[{ id: note.studentId, name: student }]}
            answers={{
              typeId: String(note.typeId),
              polarity: note.polarity,
              note: note.note ?? '',
              reach: note.reach,
              place: note.place ?? '',
              subjectId: note.subjectId === null ? '' : String(note.subjectId),
            }}
            onClose={() => setCopying(false)}
          />
        </Suspense>
      )}
      {isHistory && (
        <HistoryDialog endpoint={noteApi.history} id={id} displayName={student} onClose={() => setHistory(false)} />
      )}
    </>
  );
}

interface TextProps {
  note: ShownNote;
  revealed: Revealed | undefined;
  onReveal: (revealed: Revealed) => void;
}

function TextCard({ note, revealed, onReveal }: TextProps) {
  const { t } = useLingui();
  const { id, withdrawn, may } = note;
  const said = note.note ?? revealed?.note;
  const textOf = (addendumId: number, text: string | null) =>
    text ?? revealed?.addenda.find((one) => one.id === addendumId)?.text ?? t`Restricted`;
  return (
    <RecordCard
      isWide
      title={<Trans>What happened</Trans>}
      actions={
        <>
          {may.reveal && !revealed && (
            <FormOpener title={t`Show the restricted text`} label={<Trans>Show</Trans>}>
              {(onClose) => (
                <RecordForm
                  title={t`Show the restricted text`}
                  about={t`The audit log keeps the reason.`}
                  endpoint={noteApi.reveal}
                  initial={{ reason: '' }}
                  hiddenValues={{ id }}
                  words={<Trans>Show</Trans>}
                  saved={null}
                  onDone={onReveal}
                  onClose={onClose}
                >
                  <TextField name="reason" long />
                </RecordForm>
              )}
            </FormOpener>
          )}
          {may.addendum && (
            <FormOpener title={t`Add an addendum`} label={<Trans>Add an addendum</Trans>}>
              {(onClose) => (
                <RecordForm
                  title={t`Add an addendum`}
                  about={t`It appears below the note and can’t be changed.`}
                  endpoint={noteApi.addendum}
                  initial={{ text: '' }}
                  hiddenValues={{ id }}
                  onClose={onClose}
                >
                  <TextField name="text" long />
                </RecordForm>
              )}
            </FormOpener>
          )}
          {may.withdraw && (
            <FormOpener title={t`Withdraw the note`} label={<Trans>Withdraw</Trans>}>
              {(onClose) => (
                <RecordForm
                  title={t`Withdraw the note`}
                  about={t`Its readers see that it was withdrawn. This can’t be undone.`}
                  endpoint={noteApi.withdraw}
                  initial={{ reason: '' }}
                  hiddenValues={{ id }}
                  words={<Trans>Withdraw</Trans>}
                  onClose={onClose}
                >
                  <TextField name="reason" long />
                </RecordForm>
              )}
            </FormOpener>
          )}
        </>
      }
    >
      {withdrawn && (
        <Notice>
          <Trans>
            Withdrawn on {showMoment(withdrawn.at)} by {withdrawn.by}.
          </Trans>{' '}
          {withdrawn.reason}
        </Notice>
      )}
      {said !== undefined && said !== null ? (
        <Text breaks="pre-wrap">{said}</Text>
      ) : (
        !withdrawn && (
          <p className="soft">
            <Trans>This text is restricted. It is shown with a reason, which the audit log keeps.</Trans>
          </p>
        )
      )}
      {note.addenda.map(({ id: addendumId, at, author, text }) => (
        <div key={addendumId}>
          <h3>
            <Trans>
              Added on {showMoment(at)} by {author}
            </Trans>
          </h3>
          <Text breaks="pre-wrap">{textOf(addendumId, text)}</Text>
        </div>
      ))}
      <Facts
        facts={[
          { label: t`Author`, value: note.author },
          { label: t`Published`, value: showMoment(note.publishedAt) },
          { label: t`Subject`, value: note.subject },
          { label: t`Place`, value: note.place ?? revealed?.place ?? '' },
          { label: note.isLocked ? t`Locked since` : t`Locks on`, value: showMoment(note.locksAt) },
          { label: t`Other students of the same form`, value: note.others > 0 ? String(note.others) : '' },
          {
            label: t`Record`,
            value: (
              <PageLink to="/school-erp/student/student-list/$studentID" params={{ studentID: String(note.studentId) }}>
                {note.student}
              </PageLink>
            ),
          },
        ]}
      />
    </RecordCard>
  );
}

function Readers({ note }: { note: ShownNote }) {
  const { t } = useLingui();
  const { id, version, reach, teachers, may } = note;
  const others = t`${plural(teachers, { one: '# subject teacher', other: '# subject teachers' })}`;
  return (
    <RecordCard
      title={<Trans>Readers</Trans>}
      actions={
        may.reach && (
          <FormOpener title={t`Change the readers`} label={<Trans>Change</Trans>}>
            {(onClose) => (
              <RecordForm
                title={t`Change the readers`}
                about={may.widen ? undefined : t`A locked note can only get fewer readers.`}
                endpoint={noteApi.reach}
                initial={{ reach, reason: '' }}
                hiddenValues={{ id, version }}
                onClose={onClose}
              >
                <RadioField
                  name="reach"
                  options={note.rubric ? reaches.filter((word) => word !== 'Restricted') : reaches}
                />
                {note.isLocked && may.widen && <TextField name="reason" long />}
              </RecordForm>
            )}
          </FormOpener>
        )
      }
    >
      <Facts
        facts={[
          { label: t`Readers`, value: translateOption(reach) },
          { label: t`Today`, value: [...note.readers, ...(teachers > 0 ? [others] : [])].join(', ') },
        ]}
      />
    </RecordCard>
  );
}
