import { Plural, Trans } from '@lingui/react/macro';
import { useRead } from '#kit/browser/data/read.ts';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { SearchLink } from '#kit/browser/ui/PageLink.tsx';
import { showMoney } from '#kit/contract/money.ts';
import { paymentApi } from '../contract/payment.ts';
import styles from './Counter.module.css';

/** What the cashier took today, at the head of the counter, with the way to close the day. */
export function CashierDay() {
  const { data: day } = useRead(paymentApi.today, {});
  if (!day) return null;
  return (
    <Row gap="4 16" wrap tone="soft" className={styles.day}>
      <span>
        <Trans>
          Your day: <Plural value={day.receipts} one="# receipt" other="# receipts" />, {showMoney(day.amount)}
        </Trans>
      </span>
      {!day.isClosed && (
        <SearchLink search={{ part: 'day' }}>
          <Trans>Close day</Trans>
        </SearchLink>
      )}
    </Row>
  );
}
