import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { RecordPage } from '#kit/browser/record/RecordPage.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { HistoryButton } from '#kit/browser/ui/HistoryButton.tsx';
import { HistoryDialog } from '#kit/browser/ui/HistoryDialog.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import { type Homework, homeworkApi } from '../contract/homework.ts';
import { homeworkList } from '../contract/list.ts';
import { CheckGrid } from './CheckGrid.tsx';
import { FilesCard } from './FilesCard.tsx';
import { HomeworkActs } from './HomeworkActs.tsx';
import { stateKinds } from './state.ts';

/** /school-erp/homework/homework-list/{homeworkID}: homework of one section, with the results of its children. */
export function HomeworkPage() {
  const { homeworkID } = useParams({ strict: false }) as { homeworkID: string };
  const { t } = useLingui();
  const query = useRead(homeworkApi.read, { id: homeworkID });
  return (
    <>
      {query.error && !query.data && <PageHead title={t`Homework`} />}
      <QueryBoundary query={query}>{(found) => <Record key={found.id} homework={found} />}</QueryBoundary>
    </>
  );
}

function Record({ homework }: { homework: Homework }) {
  const { t } = useLingui();
  const [isHistory, setHistory] = useState(false);
  const close = useAction(homeworkApi.close);
  const reopen = useAction(homeworkApi.reopen);
  const { id, version, title, section, subject, teacher, dueOn, state, may } = homework;
  return (
    <>
      <RecordPage
        title={title}
        of={{ list: homeworkList, id, page: '/school-erp/homework/homework-list', title: t`Homework` }}
        about={[section, subject, teacher, t`due ${showDate(dueOn)}`].join(' · ')}
        chips={<Status kind={stateKinds[state]}>{translateOption(state)}</Status>}
        actions={
          <>
            <HistoryButton name={title} onOpen={() => setHistory(true)} />
            <HomeworkActs homework={homework} />
            {may.close && (
              <Button isBusy={close.isBusy} onClick={() => void close.run({ id, version })}>
                <Trans>Close</Trans>
              </Button>
            )}
            {may.reopen && (
              <Button isBusy={reopen.isBusy} onClick={() => void reopen.run({ id, version })}>
                <Trans>Reopen</Trans>
              </Button>
            )}
          </>
        }
        parts={[
          {
            key: 'check',
            title: t`Results`,
            cards: [
              <RecordCard key="check" isWide title={<Trans>Results</Trans>}>
                {close.problem}
                {reopen.problem}
                {homework.countsUntil !== '' && (
                  <Notice>
                    <Trans>No school on the due day: it counts until {showDate(homework.countsUntil)}.</Trans>
                  </Notice>
                )}
                <CheckGrid homework={homework} />
              </RecordCard>,
            ],
          },
          {
            key: 'about',
            title: t`Homework`,
            cards: [<About key="about" homework={homework} />, <FilesCard key="files" homework={homework} />],
          },
        ]}
      />
      {isHistory && (
        <HistoryDialog endpoint={homeworkApi.history} id={id} displayName={title} onClose={() => setHistory(false)} />
      )}
    </>
  );
}

function About({ homework }: { homework: Homework }) {
  const { t } = useLingui();
  const { links, others, publishAt, maxMarks } = homework;
  return (
    <RecordCard isWide title={<Trans>Homework</Trans>}>
      {homework.instructions !== '' && <p style={{ whiteSpace: 'pre-line' }}>{homework.instructions}</p>}
      <Facts
        facts={[
          { label: t`Kind`, value: translateOption(homework.kind) },
          { label: t`Minutes`, value: String(homework.minutes) },
          { label: t`Given on`, value: showDate(homework.assignedOn) },
          { label: t`Due on`, value: showDate(homework.dueOn) },
          { label: t`Taken late until`, value: homework.lateUntil && showDate(homework.lateUntil) },
          { label: t`Published`, value: publishAt && showMoment(publishAt) },
          { label: t`Students`, value: homework.isForAll ? t`Whole section` : String(homework.children.length) },
          { label: t`Marks`, value: maxMarks === null ? '' : String(maxMarks) },
          { label: t`Families see marks and feedback`, value: homework.showsFeedback ? t`Yes` : t`No` },
          { label: t`Skills`, value: homework.skills.map(({ name }) => name).join(', ') },
          { label: t`Tags`, value: homework.tags.map(({ name }) => name).join(', ') },
          { label: t`Reason for more than the limit`, value: homework.overReason },
          { label: t`Cancelled`, value: homework.cancelledReason },
          {
            label: t`Links`,
            value: links.length > 0 && (
              <ul>
                {links.map((link) => (
                  <li key={link}>
                    <a href={link} target="_blank" rel="noreferrer noopener">
                      {link}
                    </a>
                  </li>
                ))}
              </ul>
            ),
          },
          {
            label: t`Also given to`,
            value: others.length > 0 && (
              <ul>
                {others.map((other) => (
                  <li key={other.id}>
                    <PageLink
                      to="/school-erp/homework/homework-list/$homeworkID"
                      params={{ homeworkID: String(other.id) }}
                    >
                      {other.section}
                    </PageLink>
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
    </RecordCard>
  );
}
