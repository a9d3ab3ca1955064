import { Trans, useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DateInput } from '#kit/browser/ui/DateInput.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import { type CashierDay, dayApi } from '../contract/day.ts';
import { ClosedShift, CloseShift } from './CloseShift.tsx';
import styles from './day.module.css';
import { OpeningCash } from './OpeningCash.tsx';
import { OpenShift } from './OpenShift.tsx';

/** A cashier's day, one shift at a time: what came in, the cash count, and the close. */
export function DayTab() {
  const { t } = useLingui();
  const { address, go } = useListAddress();
  const { day = '', cashier = '', shift = '' } = address;
  const read = useRead(dayApi.read, { day, staffId: cashier, shift });
  const show = (asked: { day?: string; cashier?: string; shift?: string }) => go({ ...address, shift: '', ...asked });
  const isClosedNow = useRef(false);
  return (
    <QueryBoundary query={read}>
      {(found) => (
        <>
          <Row gap="8 12" align="center" wrap mb={12} className={styles.line}>
            <DateInput
              key={found.day}
              aria-label={t`Day`}
              value={found.day}
              max={today()}
              onChange={() => undefined}
              onLeave={(day) => day && day !== found.day && show({ day })}
            />
            <select
              className="box"
              aria-label={t`Cashier`}
              value={String(found.staffId)}
              onChange={(event) => show({ cashier: event.currentTarget.value })}
            >
              {found.cashiers.map(({ id, name }) => (
                <option key={id} value={String(id)}>
                  {name}
                </option>
              ))}
            </select>
            {found.shifts.length > 1 && (
              <select
                className="box"
                aria-label={t`Shift`}
                value={String(found.shift)}
                onChange={(event) => show({ shift: event.currentTarget.value })}
              >
                {found.shifts.map(({ shift, isClosed }) => (
                  <option key={shift} value={String(shift)}>
                    {isClosed ? t`Shift ${shift}, closed` : t`Shift ${shift}`}
                  </option>
                ))}
              </select>
            )}
            <DayStatus day={found} />
            <OpeningCash day={found} />
          </Row>
          {found.open.length > 0 && (
            <Notice as="div">
              <Trans>Not closed yet:</Trans>{' '}
              {found.open.map(({ day, staffId, cashier, shift }) => (
                <Button
                  key={`${day} ${staffId} ${shift}`}
                  kind="quiet"
                  onClick={() => show({ day, cashier: String(staffId), shift: String(shift) })}
                >
                  {cashier}, {showDate(day)}
                </Button>
              ))}
            </Notice>
          )}
          {found.may.openShift && (
            <Notice as="div" kind="good">
              <Row gap="8 16" align="center" wrap>
                <Trans>More families paying today? Open another shift. It starts with the cash left here.</Trans>
                <OpenShift shift={found.shifts.length + 1} onDone={() => show({})} />
              </Row>
            </Notice>
          )}
          {found.may.close ? (
            <CloseShift key={`${found.id} ${found.version}`} day={found} isClosedNow={isClosedNow} />
          ) : (
            <ClosedShift day={found} isClosedNow={isClosedNow} />
          )}
        </>
      )}
    </QueryBoundary>
  );
}

const DayStatus = ({ day: { id, isClosed } }: { day: CashierDay }) => {
  const { t } = useLingui();
  if (id === null) return <Status>{t`Nothing received`}</Status>;
  return isClosed ? <Status kind="good">{t`Closed`}</Status> : <Status kind="info">{t`Open`}</Status>;
};
