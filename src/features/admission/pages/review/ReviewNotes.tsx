import { Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { Timeline } from '#kit/browser/record/Timeline.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { inquiryApi } from '../../contract/inquiry.ts';
import { type ReviewRecord, reviewApi } from '../../contract/review.ts';
import styles from './ReviewPage.module.css';

interface Props {
  record: ReviewRecord;
}

/** What the office knows beside the answers: messages, notes, corrections, similar inquiries and the history. */
export function ReviewNotes({ record }: Props) {
  return (
    <>
      {record.messages.length > 0 && <Messages record={record} />}
      <Notes record={record} />
      {record.corrections.length > 0 && <Corrections record={record} />}
      {record.similar.length > 0 && <Similar record={record} />}
      <RecordCard title={<Trans>History</Trans>}>
        <Timeline endpoint={inquiryApi.history} id={record.id} />
      </RecordCard>
    </>
  );
}

function Messages({ record: { id, messages, may } }: Props) {
  const { t } = useLingui();
  const markRead = useAction(reviewApi.markRead);
  return (
    <RecordCard title={<Trans>Messages of the family</Trans>}>
      {markRead.problem}
      <ol className={styles.list}>
        {messages.map((message) => (
          <li key={message.id}>
            <p className="soft">
              {[showMoment(message.at), message.about].join(' · ')}{' '}
              {!message.isRead && (
                <Chip kind="accent">
                  <Trans>New</Trans>
                </Chip>
              )}
            </p>
            <p className={styles.words}>{message.words}</p>
            {message.reply && (
              <>
                <p className="soft">
                  {[message.repliedAt && showMoment(message.repliedAt), message.repliedBy].filter(Boolean).join(' · ')}
                </p>
                <p className={styles.words}>{message.reply}</p>
              </>
            )}
            {may.review && !message.reply && (
              <div className={styles.buttons}>
                {!message.isRead && (
                  <Button
                    kind="quiet"
                    edge="start"
                    aria-label={t`Mark as read: ${message.about}`}
                    onClick={() => void markRead.run({ id, message: message.id })}
                  >
                    <Trans>Mark as read</Trans>
                  </Button>
                )}
                <FormOpener title={t`Reply to the message about ${message.about}`} label={<Trans>Reply…</Trans>}>
                  {(onClose) => (
                    <RecordForm
                      title={t`Reply to the message about ${message.about}`}
                      endpoint={reviewApi.reply}
                      initial={{ words: '' }}
                      hiddenValues={{ id, message: message.id }}
                      words={<Trans>Send</Trans>}
                      saved={null}
                      onClose={onClose}
                    >
                      <TextField name="words" long hint={<Trans>Sent by email to the parents.</Trans>} />
                    </RecordForm>
                  )}
                </FormOpener>
              </div>
            )}
          </li>
        ))}
      </ol>
    </RecordCard>
  );
}

function Notes({ record: { id, notes, may } }: Props) {
  const { t } = useLingui();
  const add = may.review && (
    <FormOpener title={t`Add note`} label={<Trans>Add note</Trans>}>
      {(onClose) => (
        <RecordForm
          title={t`Add note`}
          endpoint={reviewApi.addNote}
          initial={{ note: '' }}
          hiddenValues={{ id }}
          saved={null}
          onClose={onClose}
        >
          <TextField name="note" long hint={<Trans>The family never sees it.</Trans>} />
        </RecordForm>
      )}
    </FormOpener>
  );
  return (
    <RecordCard title={<Trans>Internal notes</Trans>} actions={add}>
      {notes.length === 0 ? (
        <p className="soft">
          <Trans>None yet.</Trans>
        </p>
      ) : (
        <ol className={styles.list}>
          {notes.map(({ id: note, at, by, note: words }) => (
            <li key={note}>
              <p className="soft">{[showMoment(at), by].join(' · ')}</p>
              <p className={styles.words}>{words}</p>
            </li>
          ))}
        </ol>
      )}
    </RecordCard>
  );
}

function Corrections({ record: { corrections } }: Pick<Props, 'record'>) {
  return (
    <RecordCard title={<Trans>Corrections asked for</Trans>}>
      <ol className={styles.list}>
        {corrections.map(({ id, at, by, answeredAt, remarks }) => (
          <li key={id}>
            <p className="soft">
              {[showMoment(at), by].join(' · ')}{' '}
              {answeredAt ? (
                <Trans>Answered {showMoment(answeredAt)}</Trans>
              ) : (
                <Chip kind="warn">
                  <Trans>Waiting for the family</Trans>
                </Chip>
              )}
            </p>
            <ul>
              {remarks.map((remark) => (
                <li key={remark.id}>
                  <b>
                    {remark.section === 'Documents' ? translateOption(remark.field) : translateOption(remark.section)}
                  </b>{' '}
                  {remark.remark}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </RecordCard>
  );
}

function Similar({ record: { similar } }: Pick<Props, 'record'>) {
  return (
    <RecordCard title={<Trans>Other inquiries of this family</Trans>}>
      <ul className={styles.list}>
        {similar.map(({ id, child, inquiryNo, grade, academicYear, state, isSameChild, hasSameAadhaar }) => (
          <li key={id}>
            <PageLink to="/school-erp/admission/inquiry/$inquiryID" params={{ inquiryID: String(id) }}>
              {child || inquiryNo}
            </PageLink>{' '}
            <span className="soft">{[inquiryNo, grade, academicYear, translateOption(state)].join(' · ')}</span>{' '}
            {isSameChild && (
              <Chip kind="bad">
                <Trans>The same child</Trans>
              </Chip>
            )}
            {hasSameAadhaar && (
              <Chip kind="bad">
                <Trans>The same Aadhaar number</Trans>
              </Chip>
            )}
          </li>
        ))}
      </ul>
    </RecordCard>
  );
}
