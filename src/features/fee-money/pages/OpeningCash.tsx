import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Text } from '#kit/browser/ui/Layout.tsx';
import { showMoney, typedMoney } from '#kit/contract/money.ts';
import { type CashierDay, dayApi } from '../contract/day.ts';

/** The opening cash, which the last shift left, and the count of another amount before the first payment in cash. */
export function OpeningCash({ day }: { day: CashierDay }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const { openingCash, carried, isCounted, may } = day;
  return (
    <>
      <Text as="span" tone="soft">
        {isCounted ? (
          <Trans>Opening cash {showMoney(openingCash)}, counted</Trans>
        ) : carried > 0 ? (
          <Trans>Opening cash {showMoney(openingCash)}, left by the last shift</Trans>
        ) : (
          <Trans>Opening cash {showMoney(openingCash)}</Trans>
        )}
      </Text>
      {may.count && (
        <Button kind="quiet" onClick={() => setOpen(true)}>
          <Trans>Count it</Trans>
        </Button>
      )}
      {isOpen && (
        <RecordForm
          title={t`Opening cash`}
          about={t`The last shift left ${showMoney(carried)}.`}
          endpoint={dayApi.open}
          initial={{ openingCash: typedMoney(openingCash), reason: day.openingReason }}
          of={t`Opening cash`}
          onClose={() => setOpen(false)}
        >
          <TextField name="openingCash" inputMode="decimal" takesFocus />
          <TextField name="reason" />
          <p className="soft">
            <Trans>
              Count before the first payment in cash. Another amount than was left shows once, as a difference of the
              opening cash.
            </Trans>
          </p>
        </RecordForm>
      )}
    </>
  );
}
