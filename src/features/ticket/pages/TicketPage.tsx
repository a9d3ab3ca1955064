import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { latestOf } from '#kit/browser/list/last-list.ts';
import { RowMenu } from '#kit/browser/list/RowMenu.tsx';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { RecordPage } from '#kit/browser/record/RecordPage.tsx';
import { Timeline } from '#kit/browser/record/Timeline.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Alert } from '#kit/browser/ui/Chip.tsx';
import { Grid, List, Text } from '#kit/browser/ui/Layout.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { PersonRow, PersonRows } from '#kit/browser/ui/PersonRow.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { useSingleKeys } from '#kit/browser/ui/use-single-keys.ts';
import { byMeList, toMeList } from '../contract/list.ts';
import { ticketPages } from '../contract/pages.ts';
import { type TicketRecord, ticketApi } from '../contract/ticket.ts';
import { ActForm, ActWords, type FormWord, useUndo } from './acts.tsx';
import { type Kind, ReplyBox } from './ReplyBox.tsx';
import { Talk } from './Talk.tsx';
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

const keys: Readonly<Record<string, FormWord>> = { h: 'hold', e: 'resolve' };

/** What can be done besides the next act, in the order of the menu. */
const menuWords = ['resolve', 'reopen', 'hold', 'transfer', 'priority', 'confidential'] as const;

function Ticket({ record }: { record: TicketRecord }) {
  const { t } = useLingui();
  const { id, version, may, subject, status, ticketNo, category, isMine } = record;
  const [open, setOpen] = useState<FormWord>();
  const [kind, setKind] = useState<Kind>(may.reply ? 'Public' : 'Internal');
  const part = useRef<HTMLDivElement>(null);
  const accept = useAction(ticketApi.accept);
  const resume = useAction(ticketApi.resume);
  const toast = useToast();
  const undo = useUndo();
  const acceptIt = async () => {
    const done = await accept.run({ id });
    if (done) toast({ kind: 'success', title: t`Accepted.`, actions: undo.actions(done) });
  };
  const write = (as: Kind) => {
    setKind(as);
    part.current?.querySelector('textarea')?.focus();
  };
  useSingleKeys(part, ({ key }) => {
    if (key === 'a' && may.accept) return () => void acceptIt();
    if (key === 'a' && may.transfer) return () => setOpen('transfer');
    if (key === 'r' && may.reply) return () => write('Public');
    if (key === 'i' && may.note) return () => write('Internal');
    const word = keys[key];
    return word && may[word] ? () => setOpen(word) : undefined;
  });
  const first = (['confirm', 'resolve'] as const).find((word) => may[word]);
  const hasMain = may.accept || may.resume || first === 'confirm';
  const more = menuWords.filter((word) => may[word] && word !== first);
  const [byMe, toMe] = ticketPages;
  // Of a ticket that the user raised and works on, both lists lead here.
  const from = latestOf([byMeList.name, toMeList.name]);
  const isOfMine = from ? from === byMeList.name : isMine;
  return (
    <div ref={part} tabIndex={-1} className={styles.page}>
      <RecordPage
        title={subject}
        of={
          isOfMine
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
            {first && (
              <Button
                kind={first === 'confirm' && !may.accept && !may.resume ? 'main' : 'plain'}
                onClick={() => setOpen(first)}
              >
                <ActWords word={first} record={record} />
              </Button>
            )}
            {(more.length > 0 || may.cancel) && (
              <RowMenu name={ticketNo}>
                {(from) => (
                  <>
                    {more.map((word) => (
                      <Menu.Item key={word} onClick={from(() => setOpen(word))}>
                        <ActWords word={word} record={record} />
                      </Menu.Item>
                    ))}
                    {more.length > 0 && may.cancel && <Menu.Divider />}
                    {may.cancel && (
                      <Menu.Item color="var(--bad)" onClick={from(() => setOpen('cancel'))}>
                        <ActWords word="cancel" record={record} />
                      </Menu.Item>
                    )}
                  </>
                )}
              </RowMenu>
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
              <Grid key="talk" gap="24 32" align="start" className={styles.split} data-wide>
                <section aria-label={t`Conversation`}>
                  <Talk record={record} />
                  {(may.reply || may.note) && (
                    <ReplyBox record={record} kind={kind} onKind={setKind} isNext={!hasMain} />
                  )}
                </section>
                <Details record={record} />
              </Grid>,
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

function Details({ record }: { record: TicketRecord }) {
  const { t } = useLingui();
  const duration = useDuration();
  const { hold, pausedMinutes, rating, student, colleague, assignee, raisedBy } = record;
  const at = (moment: string | null) => moment && showMoment(moment);
  const colleagueLink = (person: { id: number; name: string } | null) =>
    person && (
      <PageLink to="/school-erp/staff/view-staff/$userID" params={{ userID: String(person.id) }}>
        {person.name}
      </PageLink>
    );
  const studentWords = student && [student.name, student.section].filter(Boolean).join(', ');
  return (
    <section aria-label={t`Details`}>
      <Facts
        facts={[
          { label: t`Solve by`, value: at(record.resolutionDueAt) },
          { label: t`Assigned to`, value: colleagueLink(assignee) ?? t`Queue of ${record.department}` },
          { label: t`Raised by`, value: colleagueLink(raisedBy) },
          { label: t`Also read by`, value: record.participants.join(', ') },
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
          {
            label: t`First answer`,
            value: record.respondedAt
              ? showMoment(record.respondedAt)
              : at(record.responseDueAt) && t`by ${showMoment(record.responseDueAt ?? '')}`,
          },
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
          { label: t`Reason of the cancellation`, value: record.cancelReason },
        ]}
      />
      {student?.contact && (
        <PersonRows>
          <PersonRow {...student.contact} />
        </PersonRows>
      )}
      {student && record.others.length > 0 && <Others student={student.name} others={record.others} />}
    </section>
  );
}

function Others({ student, others }: Pick<TicketRecord, 'others'> & { student: string }) {
  const { t } = useLingui();
  return (
    <section aria-label={t`Other tickets about ${student}`}>
      <Text as="h2" size={15} weight={600} mt={16} mb={6}>
        <Trans>Other tickets about {student}</Trans>
      </Text>
      <List>
        {others.map(({ id, ticketNo, subject, status }) => (
          <li key={id}>
            <PageLink to="/school-erp/ticket/ticket-entry/$ticketID" params={{ ticketID: String(id) }}>
              {subject}
            </PageLink>
            <Text as="span" size={13} tone="soft" block>
              {[ticketNo, translateOption(status)].join(' · ')}
            </Text>
          </li>
        ))}
      </List>
    </section>
  );
}
