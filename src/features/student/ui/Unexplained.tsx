import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { RecordList, type RowOf } from '#kit/browser/list/RecordList.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Row, Text } from '#kit/browser/ui/Layout.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { PageLink, SearchLink } from '#kit/browser/ui/PageLink.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showDate } from '#kit/contract/day.ts';
import { showNumber } from '#kit/contract/text.ts';
import { correctResultApi } from '../contract/correct-result.ts';
import { leavingApi } from '../contract/leaving.ts';
import { neverJoinedApi } from '../contract/never-joined.ts';
import { type UnexplainedReason, unexplainedApi, unexplainedList } from '../contract/unexplained.ts';

const NeverJoined = lazy(async () => ({ default: (await import('../pages/NeverJoined.tsx')).NeverJoined }));

const CorrectResult = lazy(async () => ({ default: (await import('./CorrectResult.tsx')).CorrectResult }));

const kinds: Record<UnexplainedReason, 'bad' | 'warn' | 'plain'> = {
  Undecided: 'bad',
  'Not seen': 'warn',
  'Re-test open': 'plain',
};

interface Props {
  yearId: number;
  /** What the address keeps beside the list that is chosen. */
  kept: Record<string, string>;
}

/** Whom nobody has explained yet: without a place, not seen, with an open re-test; and how the roll of the year adds up. */
export function Unexplained({ yearId, kept }: Props) {
  const { t } = useLingui();
  const sum = useRead(unexplainedApi.sum, { yearId });
  const mayLeave = useMay(leavingApi.leave);
  const mayNeverJoin = useMay(neverJoinedApi.cancel);
  const mayCorrect = useMay(correctResultApi.correct);
  const [corrected, setCorrected] = useState<Pick<RowOf<typeof unexplainedList>, 'id' | 'name'>>();
  const [gone, setGone] = useState<Pick<RowOf<typeof unexplainedList>, 'id' | 'name'>>();
  return (
    <>
      <QueryBoundary query={sum}>
        {({ day, next, roll, inNext, completed, left, undecided, lists }) => (
          <>
            <Text tone="soft" mb={8}>
              <Trans>
                Roll of {showDate(day)}: {showNumber(roll)} = {showNumber(inNext)} in {next || t`the next year`} +{' '}
                {showNumber(completed)} completed + {showNumber(left)} left + {showNumber(undecided)} undecided
              </Trans>
            </Text>
            <Row as="nav" gap={16} wrap mb={8} aria-label={t`Lists of unexplained students`}>
              {lists.map(({ why, students }) => (
                <SearchLink key={why} search={{ ...kept, why }}>
                  {translateOption(why)}: {showNumber(students)}
                </SearchLink>
              ))}
            </Row>
          </>
        )}
      </QueryBoundary>
      <RecordList
        list={unexplainedList}
        open={({ id }) => ({
          to: '/school-erp/student/student-list/$studentID',
          params: { studentID: String(id) },
        })}
        cells={{
          why: ({ why }) => why && <Status kind={kinds[why as UnexplainedReason]}>{translateOption(why)}</Status>,
        }}
        actions={(row, from) => (
          <>
            <Menu.Item
              renderRoot={(props) => (
                <PageLink
                  to="/school-erp/student/student-list/$studentID"
                  params={{ studentID: String(row.id) }}
                  search={{ act: 'section' }}
                  {...props}
                />
              )}
            >
              <Trans>Assign a section…</Trans>
            </Menu.Item>
            {mayLeave && (
              <Menu.Item
                renderRoot={(props) => (
                  <PageLink
                    to="/school-erp/student/student-list/$studentID"
                    params={{ studentID: String(row.id) }}
                    search={{ act: 'leave' }}
                    {...props}
                  />
                )}
              >
                <Trans>Leave…</Trans>
              </Menu.Item>
            )}
            {mayCorrect && (
              <Menu.Item onClick={from(() => setCorrected(row))}>
                {row.why === 'Re-test open' ? <Trans>Result of the re-test…</Trans> : <Trans>Correct a result…</Trans>}
              </Menu.Item>
            )}
            {mayNeverJoin && row.isHere && (
              <Menu.Item onClick={from(() => setGone(row))}>
                <Trans>Never joined…</Trans>
              </Menu.Item>
            )}
          </>
        )}
        empty={{ message: <Trans>Every student is explained.</Trans> }}
      />
      {corrected && (
        <Suspense fallback={null}>
          <CorrectResult
            head={{ id: corrected.id, name: corrected.name ?? '' }}
            onClose={() => setCorrected(undefined)}
          />
        </Suspense>
      )}
      {gone && (
        <Suspense fallback={null}>
          <NeverJoined head={{ id: gone.id, name: gone.name ?? '' }} onClose={() => setGone(undefined)} />
        </Suspense>
      )}
    </>
  );
}
