import { Trans, useLingui } from '@lingui/react/macro';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { Timeline } from '#kit/browser/record/Timeline.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { List, Text } from '#kit/browser/ui/Layout.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { inquiryApi } from '../../contract/inquiry.ts';
import { type ReviewRecord, reviewApi } from '../../contract/review.ts';
import { FamilyMessages } from '../FamilyMessages.tsx';
import styles from './ReviewPage.module.css';

interface Props {
  record: ReviewRecord;
}

/** What the office knows beside the answers: messages, notes, corrections, similar inquiries and the history. */
export function ReviewNotes({ record }: Props) {
  return (
    <>
      {record.messages.length > 0 && <FamilyMessages record={record} mayReply={record.may.review} />}
      <Notes record={record} />
      {record.corrections.length > 0 && <Corrections record={record} />}
      {record.similar.length > 0 && <Similar record={record} />}
      <RecordCard title={<Trans>History</Trans>}>
        <Timeline endpoint={inquiryApi.history} id={record.id} />
      </RecordCard>
    </>
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
        <List as="ol" mb={12} className={styles.list}>
          {notes.map(({ id: note, at, by, note: words }) => (
            <li key={note}>
              <p className="soft">{[showMoment(at), by].join(' · ')}</p>
              <Text breaks="pre-line">{words}</Text>
            </li>
          ))}
        </List>
      )}
    </RecordCard>
  );
}

function Corrections({ record: { corrections } }: Pick<Props, 'record'>) {
  return (
    <RecordCard title={<Trans>Corrections requested</Trans>}>
      <List as="ol" mb={12} className={styles.list}>
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
      </List>
    </RecordCard>
  );
}

function Similar({ record: { similar } }: Pick<Props, 'record'>) {
  return (
    <RecordCard title={<Trans>Other inquiries of this family</Trans>}>
      <List mb={12} className={styles.list}>
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
      </List>
    </RecordCard>
  );
}
