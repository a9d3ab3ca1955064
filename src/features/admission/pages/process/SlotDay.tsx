import { Trans, useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { ExportMenu } from '#kit/browser/list/ExportMenu.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translateOption } from '#kit/browser/text.ts';
import { DateInput } from '#kit/browser/ui/DateInput.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Grid, Row, Table } from '#kit/browser/ui/Layout.tsx';
import { PageLink, SearchLink } from '#kit/browser/ui/PageLink.tsx';
import { ScrollFrame } from '#kit/browser/ui/ScrollFrame.tsx';
import { showTime } from '#kit/browser/ui/show.ts';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { showDate } from '#kit/contract/day.ts';
import { exportApi } from '../../contract/export.ts';
import { slotApi } from '../../contract/slot.ts';
import { ChangeSlot } from './ChangeSlot.tsx';
import styles from './SeatPlan.module.css';

/** The slots of a day with their children: the call list of the day. */
export function SlotDay() {
  const { t } = useLingui();
  const id = useId();
  const { address, go } = useListAddress();
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  const read = useReadList(slotApi.list, { day: address.day ?? '' });
  return (
    <QueryBoundary query={read}>
      {({ day, rows, nextDay, may }) => (
        <Grid columns={1} gap={16}>
          <Row gap={8} align="center" wrap className={styles.head}>
            <label htmlFor={id}>
              <Trans>Day</Trans>
            </label>
            <DateInput
              key={day}
              id={id}
              value={day}
              onChange={() => undefined}
              onLeave={(chosen) => chosen && chosen !== day && go({ ...address, day: chosen })}
            />
            {may.export && rows.length > 0 && (
              <ExportMenu
                words={<Trans>Call list</Trans>}
                onExport={(as) => void attempt(() => download(exportApi.calls, { day, as }, `calls-${day}.${as}`))}
              />
            )}
            {problem}
          </Row>
          {rows.length === 0 ? (
            <EmptyState
              message={
                may.plan ? (
                  <Trans>No slots on {showDate(day)}. Plan them from the list of applications.</Trans>
                ) : (
                  <Trans>No slots on {showDate(day)}.</Trans>
                )
              }
            >
              {nextDay && (
                <SearchLink search={{ show: 'slots', day: nextDay }}>
                  <Trans>Next slots on {showDate(nextDay)}</Trans>
                </SearchLink>
              )}
            </EmptyState>
          ) : (
            <ScrollFrame label={t`Slots`}>
              <Table className={styles.grid}>
                <thead>
                  <tr>
                    <th scope="col">
                      <Trans>Time</Trans>
                    </th>
                    <th scope="col">
                      <Trans>Place</Trans>
                    </th>
                    <th scope="col">
                      <Trans>Assessors</Trans>
                    </th>
                    <th scope="col">
                      <Trans>Children</Trans>
                    </th>
                    {may.plan && (
                      <th scope="col">
                        <VisuallyHidden>
                          <Trans>Actions</Trans>
                        </VisuallyHidden>
                      </th>
                    )}
                  </tr>
                </thead>
                <tbody>
                  {rows.map((slot) => (
                    <tr key={slot.id}>
                      <th scope="row">
                        {showTime(slot.startsAt)}–{showTime(slot.endsAt)}
                      </th>
                      <td>{slot.place}</td>
                      <td>{slot.isCancelled ? <Trans>Cancelled</Trans> : slot.assessors.join(', ')}</td>
                      <td>
                        {slot.children.map(({ id, name, status, interactionId, isChosen }) => (
                          <p key={interactionId}>
                            <PageLink
                              to="/school-erp/admission/process-admission/$inquiryID"
                              params={{ inquiryID: String(id) }}
                            >
                              {name}
                            </PageLink>{' '}
                            <span className="soft">
                              {translateOption(status)}
                              {isChosen && (
                                <>
                                  {' · '}
                                  <Trans>chosen by the family</Trans>
                                </>
                              )}
                            </span>
                          </p>
                        ))}
                      </td>
                      {may.plan && (
                        <td>
                          {!slot.isCancelled && Date.parse(slot.startsAt) > Date.now() && (
                            <ChangeSlot slot={slot} day={day} />
                          )}
                        </td>
                      )}
                    </tr>
                  ))}
                </tbody>
              </Table>
            </ScrollFrame>
          )}
        </Grid>
      )}
    </QueryBoundary>
  );
}
