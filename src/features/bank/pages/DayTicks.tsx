import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { translateOption } from '#kit/browser/text.ts';
import { ActRow, ActRows } from '#kit/browser/ui/ActRow.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Text } from '#kit/browser/ui/Layout.tsx';
import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';
import { dayTickApi } from '../contract/line.ts';

/** The totals of the last days, to be compared with the card machine and the UPI app. */
export function DayTicks() {
  const { t } = useLingui();
  const days = useRead(dayTickApi.list, {});
  const ticking = useAction(dayTickApi.tick);
  const mayTick = useMay(dayTickApi.tick);
  return (
    <>
      {ticking.problem}
      <QueryBoundary query={days}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState message={<Trans>Nothing came by UPI or card in the last 31 days.</Trans>} />
          ) : (
            <ActRows>
              {rows.map(({ day, mode, count, amount, seen, ticked }) => (
                <ActRow
                  key={`${day} ${mode}`}
                  title={showDate(day)}
                  about={
                    <>
                      {translateOption(mode)}, <Plural value={count} one="# payment" other="# payments" />
                    </>
                  }
                  detail={
                    <Trans>
                      {showMoney(amount)} received, {showMoney(seen)} seen in the bank
                    </Trans>
                  }
                >
                  {ticked?.amount === amount ? (
                    <span className="soft">
                      {ticked.by}, {showDate(ticked.at)}
                    </span>
                  ) : (
                    <>
                      {ticked && (
                        <Text as="span" tone="warn">
                          <Trans>{showMoney(ticked.amount)} then.</Trans>
                        </Text>
                      )}
                      {mayTick && (
                        <Button
                          aria-label={t`Tick off ${mode} of ${showDate(day)}`}
                          onClick={() => void ticking.run({ day, mode, amount })}
                        >
                          <Trans>Tick off</Trans>
                        </Button>
                      )}
                    </>
                  )}
                </ActRow>
              ))}
            </ActRows>
          )
        }
      </QueryBoundary>
    </>
  );
}
