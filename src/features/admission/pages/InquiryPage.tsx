import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { openStates } from '#features/admission-form/contract/state.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { factsOf } from '#kit/browser/record/facts-of.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { RecordPage } from '#kit/browser/record/RecordPage.tsx';
import { RemoveRecord } from '#kit/browser/record/removal.tsx';
import { Timeline } from '#kit/browser/record/Timeline.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { ButtonLink } from '#kit/browser/ui/Button.tsx';
import { Alert } from '#kit/browser/ui/Chip.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PageLink, usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { PhoneLink } from '#kit/browser/ui/PhoneLink.tsx';
import { Overdue } from '#kit/browser/ui/Status.tsx';
import { showMoment, today } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import { omit, pick } from '#kit/contract/field.ts';
import { type InquiryRecord, inquiryApi } from '../contract/inquiry.ts';
import { inquiryList } from '../contract/list.ts';
import { childFields, officeFields, parentFields } from '../contract/record.ts';
import { EditInquiry } from './EditInquiry.tsx';
import { EndReasonFields } from './EndReasonFields.tsx';
import { FamilyMessages } from './FamilyMessages.tsx';
import { FollowUpForm } from './FollowUpForm.tsx';
import { FormCard } from './FormCard.tsx';
import styles from './InquiryPage.module.css';
import { InquiryStateChip } from './InquiryState.tsx';
import { SendForm } from './SendForm.tsx';
import { SiblingCard } from './SiblingCard.tsx';

/** /school-erp/admission/inquiry/{inquiryID}: one family from its first call until the form is submitted. */
export function InquiryPage() {
  const { inquiryID } = useParams({ strict: false }) as { inquiryID: string };
  const { t } = useLingui();
  const record = useRead(inquiryApi.read, { id: inquiryID });
  return (
    <>
      {record.error && !record.data && <PageHead title={t`Inquiry`} />}
      <QueryBoundary query={record}>{(found) => <Inquiry record={found} />}</QueryBoundary>
    </>
  );
}

interface Props {
  record: InquiryRecord;
}

const isOpenState = (state: string) => (openStates as readonly string[]).includes(state);

const childOf = ({ values: { firstName, lastName }, inquiryNo }: InquiryRecord) =>
  [firstName, lastName].filter(Boolean).join(' ') || inquiryNo;

function Inquiry({ record }: Props) {
  const { t } = useLingui();
  const { id, inquiryNo, state, grade, academicYear, values, may } = record;
  const navigate = usePageNavigate();
  const isOpen = isOpenState(state);
  const isReviewed = !isOpen && state !== 'Lost';
  const hasAccount = state === 'Seat confirmed' || state === 'Admitted';
  const isOverdue = isOpen && values.nextFollowUpOn !== '' && values.nextFollowUpOn < today();
  return (
    <RecordPage
      title={childOf(record)}
      of={{ list: inquiryList, id, page: '/school-erp/admission/inquiry', title: t`Inquiry` }}
      about={[inquiryNo, grade, academicYear].join(' · ')}
      chips={
        <>
          <InquiryStateChip state={state} />
          {isReviewed && (
            <PageLink to="/school-erp/admission/review-list/$inquiryID" params={{ inquiryID: String(id) }}>
              <Trans>Review</Trans>
            </PageLink>
          )}
          {isOverdue && (
            <Alert kind="bad">
              <Trans>Follow-up overdue</Trans>
            </Alert>
          )}
        </>
      }
      actions={
        (may.logFollowUp || may.sendForm || may.remove || hasAccount) && (
          <>
            {hasAccount && (
              <ButtonLink
                kind={state === 'Seat confirmed' ? 'main' : undefined}
                to="/school-erp/admission/confirm-admission/$inquiryID"
                params={{ inquiryID: String(id) }}
              >
                {state === 'Admitted' ? <Trans>Account</Trans> : <Trans>Create the account</Trans>}
              </ButtonLink>
            )}
            {may.logFollowUp && (
              <FormOpener kind="main" title={t`Log follow-up`} label={<Trans>Log follow-up</Trans>}>
                {(onClose) => <FollowUpForm id={id} onClose={onClose} />}
              </FormOpener>
            )}
            {may.sendForm && (
              <FormOpener
                kind={may.logFollowUp ? 'plain' : 'main'}
                title={t`Send form to the family`}
                label={<Trans>Send form…</Trans>}
              >
                {(onClose) => <SendForm record={record} onClose={onClose} />}
              </FormOpener>
            )}
            {may.remove && (
              <RemoveRecord
                endpoint={inquiryApi.remove}
                input={{ id, version: record.version }}
                name={inquiryNo}
                onRemoved={() => void navigate({ to: '/school-erp/admission/inquiry' })}
              />
            )}
          </>
        )
      }
      parts={[
        {
          key: 'inquiry',
          title: t`Inquiry`,
          cards: [
            isOpen && <NextCard key="next" record={record} isOverdue={isOverdue} />,
            <FollowUps key="follow-ups" record={record} />,
            <ChildCard key="child" record={record} />,
            <ParentsCard key="parents" record={record} />,
            record.messages.length > 0 && <FamilyMessages key="messages" record={record} mayReply={may.reply} />,
            <SiblingCard key="siblings" record={record} />,
            may.keep && <Ending key="ending" record={record} />,
          ],
        },
        {
          key: 'form',
          title: t`Form`,
          cards: [<FormCard key="form" record={record} />],
        },
        {
          key: 'history',
          title: t`History`,
          cards: [
            <RecordCard key="history" isWide title={<Trans>History</Trans>} isTitleHidden>
              <Timeline endpoint={inquiryApi.history} id={id} />
            </RecordCard>,
          ],
        },
      ]}
    />
  );
}

/** Those that the card does not show beside a parent's name. */
const otherParentFields = omit(
  parentFields,
  'fatherFirstName',
  'fatherLastName',
  'fatherMobile',
  'fatherEmail',
  'motherFirstName',
  'motherLastName',
  'motherMobile',
  'motherEmail',
);

/** The card of the next call has these while there may be one. */
const calls = ['nextFollowUpOn', 'assignedToId', 'remark'] as const;

/** What a call needs: when, whom, and the last word. */
function NextCard({ record, isOverdue }: Props & { isOverdue: boolean }) {
  const { t } = useLingui();
  const { values, assignedTo, followUps } = record;
  const day = values.nextFollowUpOn && showDate(values.nextFollowUpOn);
  const numbers = [
    { label: t`Call the father`, value: phoneOf(values.fatherMobile) },
    { label: t`Call the mother`, value: phoneOf(values.motherMobile) },
  ];
  return (
    <RecordCard title={<Trans>Next</Trans>}>
      <Facts
        facts={[
          { label: t`Next follow-up`, value: isOverdue ? <Overdue>{day}</Overdue> : day || t`No day set` },
          ...numbers,
          { label: t`Last contact`, value: followUps[0]?.note },
          { label: t`Remark`, value: values.remark },
          { label: t`Assigned to`, value: assignedTo },
        ]}
      />
    </RecordCard>
  );
}

function ChildCard({ record }: Props) {
  const { t } = useLingui();
  const { values, academicYear, branch, program, grade, leadSource, assignedTo, createdOn } = record;
  const names = {
    academicYearId: academicYear,
    branchId: branch,
    programId: program,
    gradeId: grade,
    leadSourceId: leadSource,
    assignedToId: assignedTo,
  };
  const child = childOf(record);
  const edit = record.may.update && (
    <FormOpener title={t`Edit ${child}`} label={<Trans>Edit</Trans>}>
      {(onClose) => <EditInquiry record={record} child={child} onClose={onClose} />}
    </FormOpener>
  );
  return (
    <RecordCard title={<Trans>Child and grade</Trans>} actions={edit}>
      <Facts
        facts={[
          ...factsOf(omit(childFields, 'firstName', 'lastName'), values, { names }),
          ...factsOf(pick(officeFields, 'quota'), values),
          ...factsOf(omit(officeFields, 'quota', ...calls), values, { names }),
          { label: t`Received on`, value: showDate(createdOn) },
          ...(isOpenState(record.state) ? [] : factsOf(pick(officeFields, ...calls), values, { names })),
        ]}
      />
    </RecordCard>
  );
}

function ParentsCard({ record: { values, staffParent } }: Props) {
  const { t } = useLingui();
  const nameOf = (...parts: string[]) => parts.filter(Boolean).join(' ');
  return (
    <RecordCard title={<Trans>Parents</Trans>}>
      <Facts
        facts={[
          { label: t`Father`, value: nameOf(values.fatherFirstName, values.fatherLastName) },
          ...factsOf(pick(parentFields, 'fatherMobile', 'fatherEmail'), values, { show: { fatherMobile: phoneOf } }),
          { label: t`Mother`, value: nameOf(values.motherFirstName, values.motherLastName) },
          ...factsOf(pick(parentFields, 'motherMobile', 'motherEmail'), values, { show: { motherMobile: phoneOf } }),
          ...factsOf(otherParentFields, values),
          {
            label: t`Works here`,
            value: staffParent && (
              <PageLink to="/school-erp/staff/view-staff/$userID" params={{ userID: String(staffParent.id) }}>
                {staffParent.name}
              </PageLink>
            ),
          },
        ]}
      />
    </RecordCard>
  );
}

const phoneOf = (mobile: string) => mobile && <PhoneLink mobile={mobile} />;

function FollowUps({ record: { followUps } }: Props) {
  return (
    <RecordCard title={<Trans>Follow-ups</Trans>}>
      {followUps.length === 0 ? (
        <p className="soft">
          <Trans>None yet.</Trans>
        </p>
      ) : (
        <ol className={styles.contacts}>
          {followUps.map(({ id, at, by, channel, note, nextOn }) => (
            <li key={id}>
              <p className="soft">{[showMoment(at), by, translateOption(channel)].join(' · ')}</p>
              <p>{note}</p>
              {nextOn && (
                <p className="soft">
                  <Trans>Next follow-up: {showDate(nextOn)}</Trans>
                </p>
              )}
            </li>
          ))}
        </ol>
      )}
    </RecordCard>
  );
}

/** Ends an open inquiry with a reason, or reopens a lost one. */
function Ending({ record: { id, version, state, endedReason, may } }: Props) {
  const { t } = useLingui();
  const isLost = state === 'Lost';
  if (!isLost && !may.lose) return null;
  const title = isLost ? t`Reopen the inquiry` : t`Mark as lost`;
  const canAct = isLost ? may.reopen : may.lose;
  return (
    <RecordCard title={isLost ? <Trans>Lost</Trans> : <Trans>No longer interested</Trans>}>
      {isLost && <p>{endedReason}</p>}
      {canAct && (
        <FormOpener kind="plain" title={title} label={isLost ? <Trans>Reopen…</Trans> : <Trans>Mark as lost…</Trans>}>
          {(onClose) =>
            isLost ? (
              <RecordForm
                title={title}
                endpoint={inquiryApi.reopen}
                initial={{ reason: '' }}
                hiddenValues={{ id, version }}
                words={<Trans>Reopen</Trans>}
                saved={null}
                onClose={onClose}
              >
                <TextField name="reason" />
              </RecordForm>
            ) : (
              <RecordForm
                title={title}
                endpoint={inquiryApi.lose}
                initial={{ reasonId: '', note: '' }}
                hiddenValues={{ id, version }}
                words={<Trans>Mark as lost</Trans>}
                saved={null}
                onClose={onClose}
              >
                <EndReasonFields options={inquiryApi.lostReasons} />
              </RecordForm>
            )
          }
        </FormOpener>
      )}
    </RecordCard>
  );
}
