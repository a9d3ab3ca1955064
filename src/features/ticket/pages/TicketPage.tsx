import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { RecordPage } from '#kit/browser/record/RecordPage.tsx';
import { Timeline } from '#kit/browser/record/Timeline.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Alert, Chip } from '#kit/browser/ui/Chip.tsx';
import { List, Text } from '#kit/browser/ui/Layout.tsx';
import { Meter } from '#kit/browser/ui/Meter.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { useSingleKeys } from '#kit/browser/ui/use-single-keys.ts';
import { byMeList, toMeList } from '../contract/list.ts';
import { ticketPages } from '../contract/pages.ts';
import { type TicketRecord, ticketApi } from '../contract/ticket.ts';
import { ActButtons, ActForm, ActWords, type FormWord, useUndo } from './acts.tsx';
import styles from './TicketPage.module.css';
import { stateKinds, TimeChip } from './TimeChip.tsx';
import { useDuration } from './use-duration.tsx';

/** /school-erp/ticket/ticket-entry/{ticketID}: the conversation about a ticket, and what can be done with it. */
export function TicketPage() {
  const { ticketID } = useParams({ strict: false }) as { ticketID: string };
  const { t } = useLingui();
  const record = useRead(ticketApi.read, { id: ticketID });
  return (
    <>
      {record.error && !record.data && <PageHead title={t`Ticket`} />}
      <QueryBoundary query={record}>{(found) => <Ticket record={found} />}</QueryBoundary>
    </>
  );
}

const keys: Readonly<Record<string, FormWord>> = {
  r: 'reply',
  i: 'note',
  h: 'hold',
  t: 'transfer',
  s: 'resolve',
};

function Ticket({ record }: { record: TicketRecord }) {
  const { t } = useLingui();
  const { id, version, may, subject, status, ticketNo, category, isMine } = record;
  const [open, setOpen] = useState<FormWord>();
  const part = useRef<HTMLDivElement>(null);
  const accept = useAction(ticketApi.accept);
  const resume = useAction(ticketApi.resume);
  const toast = useToast();
  const undo = useUndo();
  const acceptIt = async () => {
    const done = await accept.run({ id });
    if (done) toast({ kind: 'success', title: t`Accepted.`, actions: undo.actions(done) });
  };
  useSingleKeys(part, ({ key }) => {
    if (key === 'a' && may.accept) return () => void acceptIt();
    const word = keys[key];
    return word && may[word] ? () => setOpen(word) : undefined;
  });
  const next = (['confirm', 'resolve', 'reply'] as const).find((word) => may[word]);
  const [byMe, toMe] = ticketPages;
  return (
    <div ref={part} tabIndex={-1} className={styles.page}>
      <RecordPage
        title={subject}
        of={
          isMine
            ? { list: byMeList, id, page: `/school-erp/${byMe.path}`, title: translate(byMe.title) }
            : { list: toMeList, id, page: `/school-erp/${toMe.path}`, title: translate(toMe.title) }
        }
        about={[ticketNo, category, translateOption(record.priority)].join(' · ')}
        chips={
          <>
            <Status kind={stateKinds[status]}>{translateOption(status)}</Status>
            {record.chip !== 'Done' && <TimeChip {...record} />}
            {record.isConfidential && (
              <Alert kind="info">
                <Trans>Confidential</Trans>
              </Alert>
            )}
          </>
        }
        actions={
          <>
            {may.accept && (
              <Button kind="main" isBusy={accept.isBusy} onClick={() => void acceptIt()}>
                <Trans>Accept</Trans>
              </Button>
            )}
            {may.resume && (
              <Button kind="main" isBusy={resume.isBusy} onClick={() => void resume.run({ id, version })}>
                <Trans>Resume</Trans>
              </Button>
            )}
            {next && (
              <Button kind={may.accept || may.resume ? 'plain' : 'main'} onClick={() => setOpen(next)}>
                <ActWords word={next} record={record} />
              </Button>
            )}
            {accept.problem}
            {resume.problem}
            {undo.problem}
          </>
        }
        parts={[
          {
            key: 'talk',
            title: t`Conversation`,
            cards: [
              <Talk key="talk" record={record} next={next} onOpen={setOpen} />,
              <Times key="times" record={record} />,
              <About key="about" record={record} />,
            ],
          },
          {
            key: 'history',
            title: t`History`,
            cards: [
              <RecordCard key="history" title={<Trans>History</Trans>} isWide>
                <Timeline endpoint={ticketApi.history} id={id} />
              </RecordCard>,
            ],
          },
        ]}
      />
      {open && <ActForm word={open} record={record} undo={undo.actions} onClose={() => setOpen(undefined)} />}
    </div>
  );
}

type Files = TicketRecord['files'];

function FileLinks({ id, files }: { id: number; files: Files }) {
  if (files.length === 0) return null;
  return (
    <ul className={styles.files}>
      {files.map((file) => (
        <li key={file.id}>
          <a href={`/api/ticket/${id}/file/${file.id}`} target="_blank" rel="noreferrer">
            {file.name}
          </a>
        </li>
      ))}
    </ul>
  );
}

interface TalkProps {
  record: TicketRecord;
  next: FormWord | undefined;
  onOpen: (word: FormWord) => void;
}

function Talk({ record, next, onOpen }: TalkProps) {
  const { id, talk, description, files, raisedBy, raisedAt } = record;
  return (
    <RecordCard title={<Trans>Conversation</Trans>} isWide>
      <List as="ol" className={styles.talk}>
        <li>
          <p className="soft">
            <strong>{raisedBy?.name}</strong> {showMoment(raisedAt)}
          </p>
          <Text breaks="pre-line">{description}</Text>
          <FileLinks id={id} files={files} />
        </li>
        {talk.map(({ key, kind, by, at, body, to, files: own }) => (
          <li key={key} data-kind={kind}>
            <p className="soft">
              <strong>{by}</strong> {showMoment(at)}{' '}
              {kind === 'Internal' && (
                <Chip kind="warn">
                  <Trans>Internal</Trans>
                </Chip>
              )}
            </p>
            {kind === 'Transfer' && (
              <p>
                <Trans>Assigned to {to}</Trans>
              </p>
            )}
            {body && <Text breaks="pre-line">{body}</Text>}
            <FileLinks id={id} files={own} />
          </li>
        ))}
      </List>
      <ActButtons record={record} without={next} onOpen={onOpen} />
    </RecordCard>
  );
}

function Times({ record }: { record: TicketRecord }) {
  const { t } = useLingui();
  const duration = useDuration();
  const { usedShare, hold, pausedMinutes, rating } = record;
  const at = (moment: string | null) => moment && showMoment(moment);
  return (
    <RecordCard title={<Trans>Times</Trans>}>
      {usedShare !== null && (
        <Meter label={t`Used of the time for the solution`} value={Math.min(usedShare, 100)} of={100}>
          {usedShare > 100 ? <Trans>The time is used up.</Trans> : <Trans>{usedShare} % of the time used</Trans>}
        </Meter>
      )}
      <Facts
        facts={[
          {
            label: t`First answer`,
            value: record.respondedAt
              ? showMoment(record.respondedAt)
              : at(record.responseDueAt) && t`by ${showMoment(record.responseDueAt ?? '')}`,
          },
          { label: t`Solve by`, value: at(record.resolutionDueAt) },
          { label: t`On hold`, value: hold && [hold.reason, hold.note].filter(Boolean).join(', ') },
          { label: t`On hold since`, value: hold && showMoment(hold.since) },
          { label: t`Time on hold`, value: pausedMinutes > 0 && duration(pausedMinutes) },
          { label: t`Resolved`, value: at(record.resolvedAt) },
          { label: t`Closes automatically`, value: at(record.closesAt) },
          { label: t`Closed`, value: at(record.closedAt) },
          { label: t`Rating`, value: rating !== null && t`${rating} of 5 stars` },
          {
            label: t`Reopened`,
            value: record.reopenCount > 0 && plural(record.reopenCount, { one: 'once', other: '# times' }),
          },
        ]}
      />
    </RecordCard>
  );
}

function About({ record }: { record: TicketRecord }) {
  const { t } = useLingui();
  const { student, colleague, assignee, raisedBy } = record;
  const colleagueLink = (person: { id: number; name: string } | null) =>
    person && (
      <PageLink to="/school-erp/staff/view-staff/$userID" params={{ userID: String(person.id) }}>
        {person.name}
      </PageLink>
    );
  const studentWords = student && [student.name, student.section].filter(Boolean).join(', ');
  return (
    <RecordCard title={<Trans>About</Trans>}>
      <Facts
        facts={[
          { label: t`Assigned to`, value: colleagueLink(assignee) ?? t`Queue of ${record.department}` },
          { label: t`Raised by`, value: colleagueLink(raisedBy) },
          {
            label: t`Student`,
            value:
              student &&
              (student.isOpenable ? (
                <PageLink to="/school-erp/student/student-list/$studentID" params={{ studentID: String(student.id) }}>
                  {studentWords}
                </PageLink>
              ) : (
                studentWords
              )),
          },
          { label: t`Colleague`, value: colleagueLink(colleague) },
          { label: t`Place`, value: record.place },
          { label: t`Department`, value: record.department },
          { label: t`Asked by`, value: record.onBehalf !== 'Self' && translateOption(record.onBehalf) },
          { label: t`Received by`, value: record.source !== 'App' && translateOption(record.source) },
          { label: t`Also read by`, value: record.participants.join(', ') },
          { label: t`Reason of the cancellation`, value: record.cancelReason },
        ]}
      />
    </RecordCard>
  );
}
