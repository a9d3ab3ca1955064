import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useRead, useReadList } from '#kit/browser/data/read.ts';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { Row, Stack } from '#kit/browser/ui/Layout.tsx';
import { showMoment, today } from '#kit/browser/ui/show.ts';
import { useLater } from '#kit/browser/ui/use-later.ts';
import { showDate } from '#kit/contract/day.ts';
import { ticketConfigApi } from '../contract/config.ts';
import { type Priority, priorities } from '../contract/masters.ts';
import styles from './TryOut.module.css';
import { useDuration } from './use-duration.tsx';

/** "09:00–13:00, 13:45–17:00" */
const hoursOf = (spans: readonly { from: string; to: string }[]) =>
  spans.map(({ from, to }) => `${from}–${to}`).join(', ');

/** The next seven days, as hours and calendar have them. */
export function NextDays() {
  const { t } = useLingui();
  const { data = [] } = useRead(ticketConfigApi.week, {});
  return (
    <RecordCard title={<Trans>Next seven days</Trans>}>
      <CardTable
        caption={<Trans>Business hours of the next seven days</Trans>}
        heads={[t`Day`, t`Hours`]}
        rows={data.map(({ day, spans }) => ({ key: day, cells: [showDate(day), hoursOf(spans) || t`Closed`] }))}
      />
    </RecordCard>
  );
}

const hasTime = /^20\d\d-\d\d-\d\dT\d\d:\d\d$/;

/** When a ticket would be due, with each day that counts. */
export function TryOut() {
  const { t } = useLingui();
  const duration = useDuration();
  const { data: known } = useRead(ticketConfigApi.policies, {});
  const [typed, setTyped] = useState({ start: `${today()}T10:00`, priority: 'High' as Priority, policyId: '' });
  const policyId = typed.policyId || String(known?.policies[0]?.id ?? '');
  const start = useLater(typed.start);
  const isReady = policyId !== '' && hasTime.test(start);
  const { data } = useReadList(ticketConfigApi.tryOut, { start, priority: typed.priority, policyId }, isReady);
  const set = (over: Partial<typeof typed>) => setTyped({ ...typed, ...over });
  if (!known || known.policies.length === 0) return null;
  return (
    <RecordCard title={<Trans>Try out</Trans>}>
      <Row gap={12} wrap className={styles.fields}>
        <Stack as="label" gap={4}>
          <Trans>Raised at</Trans>
          <input
            type="datetime-local"
            className="box"
            value={typed.start}
            onChange={({ currentTarget: { value } }) => set({ start: value })}
          />
        </Stack>
        <Stack as="label" gap={4}>
          <Trans>Priority</Trans>
          <select
            className="box"
            value={typed.priority}
            onChange={({ currentTarget: { value } }) => set({ priority: value as Priority })}
          >
            {priorities.map((priority) => (
              <option key={priority} value={priority}>
                {translateOption(priority)}
              </option>
            ))}
          </select>
        </Stack>
        {known.policies.length > 1 && (
          <Stack as="label" gap={4}>
            <Trans>Policy</Trans>
            <select
              className="box"
              value={policyId}
              onChange={({ currentTarget: { value } }) => set({ policyId: value })}
            >
              {known.policies.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </Stack>
        )}
      </Row>
      {data && (
        <>
          <p role="status">
            {data.responseDueAt && data.resolutionDueAt ? (
              <Trans>
                Answer by {showMoment(data.responseDueAt)}, solved by {showMoment(data.resolutionDueAt)}.
              </Trans>
            ) : (
              <Trans>No business hours in the next year.</Trans>
            )}
          </p>
          <CardTable
            caption={<Trans>How the time of the solution runs</Trans>}
            heads={[t`Day`, t`Hours`, t`Counted`, t`Left`]}
            rows={data.days.map(({ day, spans, minutes, left }) => ({
              key: day,
              cells: [showDate(day), hoursOf(spans) || t`Closed`, duration(minutes), duration(left)],
            }))}
          />
        </>
      )}
    </RecordCard>
  );
}
