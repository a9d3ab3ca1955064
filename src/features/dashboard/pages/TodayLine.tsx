import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Figure, FigureLine } from '#kit/browser/ui/FigureLine.tsx';
import { Text } from '#kit/browser/ui/Layout.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { showPercent, showRupees } from '#kit/contract/money.ts';
import { showNumber } from '#kit/contract/text.ts';
import type { dashboardApi, FigureToday } from '../contract.ts';

/** A figure as it is read: whole rupees without their paise. */
export const shown: Record<FigureToday['unit'], (value: number) => string> = {
  number: showNumber,
  money: showRupees,
  percent: showPercent,
};

interface Props {
  line: OutputOf<typeof dashboardApi.line>;
  onRetry: () => void;
}

/** The figures of today, each with what it is compared with. */
export function TodayLine({ line: { figures, more, hasFailed }, onRetry }: Props) {
  const { t } = useLingui();
  const [showsMore, showMore] = useState(false);
  const count = more.length;
  return (
    <>
      {figures.length > 0 && (
        <FigureLine label={t`Today`}>
          {[...figures, ...(showsMore ? more : [])].map(
            ({ title, value, unit, of, words, before, late, isLate, hasFailed, to }) => (
              <Figure
                key={title.id}
                title={translate(title)}
                value={hasFailed ? '–' : shown[unit](value)}
                of={of === undefined ? words && translate(words) : <Trans>of {shown[unit](of)}</Trans>}
                before={before && translate(before)}
                late={late && translate(late)}
                isLate={isLate === true}
                {...(to && { to: `/school-erp/${to}` })}
              />
            ),
          )}
        </FigureLine>
      )}
      {count > 0 && (
        <Button kind="quiet" aria-expanded={showsMore} onClick={() => showMore(!showsMore)}>
          {showsMore ? <Trans>Fewer figures</Trans> : <Trans>More figures ({count})</Trans>}
        </Button>
      )}
      {hasFailed && (
        <Text tone="soft" mt={8}>
          <Trans>Some figures of today could not be loaded.</Trans>{' '}
          <Button kind="quiet" onClick={onRetry}>
            <Trans>Try again</Trans>
          </Button>
        </Text>
      )}
    </>
  );
}
